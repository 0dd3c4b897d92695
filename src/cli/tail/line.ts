import { stripVTControlCharacters, styleText } from 'node:util';
import type { RecordChange } from '../../engine/office/changes.ts';
import { printable as withoutControls } from '../../engine/lib/printable.ts';
import { truncate } from '../../engine/lib/problem.ts';
import type { Summary } from './received.ts';

const outcomeColours = {
  ok: 'green',
  declined: 'magenta',
  rejected: 'yellow',
  failed: 'red',
  dropped: 'red',
} as const;

/** Number of records and of fields of each that a line names. */
const [maxRecords, maxFields] = [3, 3];
const maxValue = 24;

/** Formats an entry: `#12 PUT /api/checkouts/3 200 ok 1.2 ms · order 3: checkout_state payment → confirm`. */
export function lineOf(entry: Summary, changes: readonly RecordChange[] | undefined): string {
  const { id, by, title, status, outcome, reason, ms, changed } = entry;
  const state = status === undefined ? by : `${status} ${outcome}`;
  const colour = by === 'request' ? outcomeColours[outcome] : 'cyan';
  const touched = changes === undefined ? countOf(changed) : changesText(changes);
  return [
    `${styleText('dim', `#${id}`)} ${printable(title)} ${styleText(colour, state)}`,
    ...(ms === undefined ? [] : [styleText('dim', ` ${ms} ms`)]),
    ...(reason === undefined ? [] : [styleText(colour, ` ${printable(reason)}`)]),
    ...(touched === '' ? [] : [` ${styleText('dim', '·')} ${touched}`]),
  ].join('');
}

function countOf(changed: number): string {
  if (changed === 0) return '';
  return changed === 1 ? '1 record' : `${changed} records`;
}

function changesText(changes: readonly RecordChange[]): string {
  const shown = changes.slice(0, maxRecords).map(changeText);
  const more = changes.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** `order 3: state cart → new`, `+ payment 7`, `- user 4`. */
function changeText({ table, id, kind, fields }: RecordChange): string {
  const record = `${printable(singularOf(table))} ${id}`;
  if (kind === 'add') return `${styleText('green', '+')} ${record}`;
  if (kind === 'delete') return `${styleText('red', '-')} ${record}`;
  const told = fields.filter(({ field }) => field !== 'updated_at');
  const shown = told
    .slice(0, maxFields)
    .map(
      ({ field, before, after }) =>
        `${printable(field)} ${valueText(before)} → ${valueText(after)}`,
    );
  const more = told.length - shown.length;
  return `${record}: ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`;
}

function singularOf(table: string): string {
  const name = table.replaceAll('_', ' ');
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return name.replace(/(?<=ss)es$|s$/, '');
}

function valueText(value: unknown): string {
  if (value === undefined) return 'unset';
  const text = printable(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length <= maxValue ? text : `${text.slice(0, maxValue - 1)}…`;
}

/** Text of clients and servers must not control the terminal. */
function printable(text: string): string {
  return withoutControls(stripVTControlCharacters(truncate(text)), ' ');
}

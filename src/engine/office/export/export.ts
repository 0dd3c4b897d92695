import type { ApiDefinition } from '../../definition/api.ts';
import { Problem } from '../../lib/problem.ts';
import type { ScenarioSource } from '../../scenario/scenario.ts';
import type { HistoryApi, HistoryEntry, HistoryExportOptions } from '../history-api.ts';
import type { ChangeLog } from '../change-log.ts';
import { harOf } from './har.ts';
import { changesBefore } from './har-changes.ts';
import type { HarFile } from './har-format.ts';
import { curlOf, fetchOf, sentRequest, type SendTarget } from './request-text.ts';
import { scenarioOf } from './scenario-export.ts';
import { vitestFileOf } from './vitest-export.ts';

/** A history, as an export reads it. */
export interface ExportSource {
  readonly api: Pick<ApiDefinition, 'isExtension' | 'path'>;
  readonly log: Pick<ChangeLog, 'entries' | 'lost' | 'max' | 'statesAfter'>;
  readonly entry: (id: number) => HistoryEntry;
  /** Maximum number of characters of a test. */
  readonly maxLength: number;
}

/** Creates the function that exports a history. @param open returns the history as it is now */
export function exporterOf(open: () => ExportSource): HistoryApi['export'] {
  function exported(options: HistoryExportOptions & { readonly as: 'scenario' }): ScenarioSource;
  function exported(options: HistoryExportOptions & { readonly as: 'vitest' }): string;
  function exported(options: HistoryExportOptions & { readonly as: 'har' }): HarFile;
  function exported(options: HistoryExportOptions): ScenarioSource | string | HarFile;
  function exported(options: HistoryExportOptions): ScenarioSource | string | HarFile {
    return exportHistory(open(), options);
  }
  return exported;
}

/**
 * Exports the entries from one to another as a scenario, as the source of a test, or as an HTTP archive.
 *
 * @throws Problem `missing` for an entry that is not recorded, `refused` if its changes are not kept, `invalid` for an
 *   empty range
 */
function exportHistory(
  source: ExportSource,
  { from, to, as, only, ...target }: HistoryExportOptions,
): ScenarioSource | string | HarFile {
  const ids = idsBetween(source, { from, to, needsChanges: as === 'vitest' });
  if (as === 'scenario') return scenarioAfter(source, ids);
  const entries = ids
    .map((id) => source.entry(id))
    .filter((entry) => only !== 'writes' || !isRead(entry));
  if (entries.length === 0) throw nothingToExport();
  if (as === 'har') return harOf(entries, target, changesBefore(entries, source.log));
  const { log, maxLength, api } = source;
  const states = log.statesAfter((ids[0] ?? 1) - 1, ids.at(-1) ?? 0);
  return vitestFileOf({ api, entries, states, maxLength });
}

function scenarioAfter(source: ExportSource, ids: readonly number[]): ScenarioSource {
  const last = ids.at(-1) ?? 0;
  const state = source.log.statesAfter(last, last).after(last);
  const { name } = state.start.scenario;
  const { title } = source.entry(last);
  return scenarioOf(state, {
    name: `${name}-after-${last}`,
    description: `The shop after entry #${last} of a history of ${name}: ${title}`,
  });
}

function idsBetween(
  { log: { entries, lost }, entry }: ExportSource,
  {
    from,
    to,
    needsChanges,
  }: { from: number | undefined; to: number | undefined; needsChanges: boolean },
): readonly number[] {
  // Entries that are missing throw.
  if (from !== undefined) entry(from);
  if (to !== undefined) entry(to);
  const first = from ?? (needsChanges ? lost + 1 : 0);
  const ids = entries.map(({ id }) => id);
  const found = ids.filter((id) => id >= first && id <= (to ?? Infinity));
  if (found.length > 0) return found;
  if (from !== undefined && to !== undefined)
    throw new Problem('invalid', `to: ${to} must be at least ${from}, the value of from.`);
  throw nothingToExport();
}

function nothingToExport(): Problem {
  return new Problem('refused', 'The history has no entries to export.');
}

function isRead({ exchange, changes }: HistoryEntry): boolean {
  return exchange !== undefined && /^(GET|HEAD)$/.test(exchange.method) && changes.length === 0;
}

/** Returns a recorded request as a command or as code. @throws Problem `refused` for an entry that is no request */
export function requestAs(
  { id, exchange }: HistoryEntry,
  format: 'curl' | 'fetch',
  target: SendTarget,
): string {
  if (exchange === undefined)
    throw new Problem('refused', `Entry #${id} of the history is not a request.`);
  const sent = sentRequest(exchange, target);
  return format === 'curl' ? curlOf(sent) : fetchOf(sent);
}

import { capitalize, singularOf } from '../../engine/lib/words.ts';
import type { ScenarioView } from '../../engine/control/endpoints/reset.ts';
import { sentenceIn } from '../entries.ts';
import { parseDuration } from '../duration-text.ts';
import { hasWords, wordsOf, type OperationHead } from '../openapi.ts';
import { hrefTo, hrefToEntry } from '../route.ts';
import { isOfStore } from '../sent-request.ts';
import type { Summary } from '../source.ts';
import type { Studio } from '../studio.ts';
import { setTheme, themes } from '../theme.ts';

/** One line of the palette: a link, an action of the page, or a request to send. */
export interface Choice {
  readonly key: string;
  readonly title: string;
  /** Its kind, or its target. */
  readonly hint: string;
  readonly href?: string;
  readonly send?: { readonly line: string; readonly body?: object };
  /** What it does in the page, by the root of the studio. */
  readonly run?: (root: Document | ShadowRoot) => unknown;
  /** The question before it is done. */
  readonly confirm?: string;
}

/** The data of the shop for the palette. */
export interface PaletteFacts {
  readonly operations: readonly OperationHead[];
  readonly tables: readonly string[];
  readonly scenarios: readonly ScenarioView[];
}

/** A choice that its words find. */
type Named = Choice & { readonly words: string };

const maxChoices = 30;

/** Returns the possible meanings of the text, the most exact first. */
export function choicesFor(studio: Studio, text: string, facts: PaletteFacts): Choice[] {
  const typed = text.trim();
  const found = (all: readonly Named[]) =>
    all.flatMap(({ words, ...choice }) => (hasWords(words, typed) ? [choice] : []));
  // What finds something is above what changes something. Resets and control operations are there if they are asked for.
  const choices =
    typed === ''
      ? [...found(pageChoices(studio)), advance('P1D', 'Advance the clock by 1 day')]
      : [
          ...clockChoices(typed),
          ...recordChoices(studio, typed, facts.tables),
          ...outcomeChoices(studio, typed),
          ...found([...pageChoices(studio), ...commands(studio), ...contentChoices(facts, typed)]),
          ...(/^(res|sce)/i.test(typed) ? found(resets(facts)) : []),
          ...searchChoices(typed),
        ];
  return choices.slice(0, maxChoices);
}

function clockChoices(text: string): Choice[] {
  const duration = /^[+-]?\s*(P|\d+\s*[a-z])/i.test(text) ? parseDuration(text) : undefined;
  return duration === undefined ? [] : [advance(duration, `Advance the clock: ${text}`)];
}

function advance(duration: string, title: string): Choice {
  return {
    key: `clock/${duration}`,
    title,
    hint: 'clock',
    send: { line: 'PUT /_backlot/clock', body: { advance: duration } },
  };
}

/** Reads `order 105`, `order item 3`, `#12`, a part of the page of a record, and a number alone. */
function recordChoices(studio: Studio, text: string, tables: readonly string[]): Choice[] {
  const [, word = '', sign = '', id = ''] = /^([a-z_ ]*)(#?)(\d+)$/i.exec(text) ?? [];
  const { tables: known, parts } = studio.pages.value.palette;
  // Numbers of records may have leading zeros; no id has.
  if (id === '' || id.startsWith('0')) return [];
  if (word.trim() === '') {
    const entry = entryOf(studio, id);
    return sign === '' ? [...known.map((name) => recordOf(studio, name, id)), entry] : [entry];
  }
  const name = word.trim().toLowerCase().replaceAll('_', ' ');
  const part = parts.find(({ word: one }) => one.startsWith(name) && name.length > 1);
  if (part !== undefined)
    return [record(hrefTo('data', part.table, id), `${part.title} ${id}`, part.hint)];
  if (['request', 'entry'].includes(name)) return [entryOf(studio, id)];
  return tables
    .filter(
      (table) => singularOf(table).startsWith(name) || table.startsWith(name.replaceAll(' ', '_')),
    )
    .toSorted((one, other) => one.length - other.length)
    .slice(0, 4)
    .map((table) => recordOf(studio, table, id));
}

/** Returns the link to a record. */
export function recordOf(studio: Studio, table: string, id: string | number): Choice {
  return record(
    studio.router.hrefToRecord(table, id),
    `${capitalize(singularOf(table))} ${id}`,
    'record',
  );
}

function entryOf(studio: Studio, id: string): Choice {
  const entry = studio.history.find(Number(id));
  const title = entry === undefined ? `Entry #${id}` : `#${id} ${sentenceIn(studio, entry)}`;
  return record(hrefToEntry(id), title, 'history');
}

function record(href: string, title: string, hint: string): Choice {
  return { key: href, title, hint, href };
}

/** Returns the sections, and pages of an API. */
function pageChoices(studio: Studio): Named[] {
  return studio.router.sections.value
    .flatMap((section) =>
      section.name === 'data' ? [section, ...studio.pages.value.palette.pages] : [section],
    )
    .map(({ name, title, hint }) => ({
      key: name,
      title,
      hint,
      href: `#/${name}`,
      words: `${name} ${title} ${hint}`,
    }));
}

/** Returns the requests with an outcome: `declined`. */
function outcomeChoices({ history }: Studio, typed: string): Choice[] {
  const outcome = typed.toLowerCase();
  const { length } = history.summaries.value.filter((entry) => entry.outcome === outcome);
  if (length === 0 || outcome === 'ok') return [];
  const href = `${hrefTo('activity')}?filter=${encodeURIComponent(`is:${outcome}`)}`;
  return [{ key: 'outcome', title: `${capitalize(outcome)}: ${length}`, hint: 'requests', href }];
}

/** Returns the tables and the operations. */
function contentChoices({ tables, operations }: PaletteFacts, typed: string): Named[] {
  const asksControl = /control|_backlot/i.test(typed);
  const listed = operations.filter(
    ({ id, path }) => isOfStore(path) || asksControl || id.toLowerCase() === typed.toLowerCase(),
  );
  return [
    ...tables.map((table) => {
      const words = table.replaceAll('_', ' ');
      const href = hrefTo('data', table);
      return { key: `table/${table}`, title: capitalize(words), hint: 'table', href, words };
    }),
    ...listed.map((operation) => ({
      key: `docs/${operation.id}`,
      title: operation.summary,
      hint: `${operation.method} ${operation.path}`,
      href: hrefTo('docs', operation.id),
      words: `${wordsOf(operation)} ${isOfStore(operation.path) ? '' : 'control'}`,
    })),
  ];
}

/** Returns what the page can do without a route of its own. */
function commands(studio: Studio): Named[] {
  const { undo, redo } = studio.shop.timeline.value ?? {};
  const rewind = (key: 'undo' | 'redo', entry: Summary | undefined): Named[] =>
    entry === undefined
      ? []
      : [
          {
            key,
            title: `${capitalize(key)}: ${sentenceIn(studio, entry)}`,
            hint: `#${entry.id}`,
            words: key,
            run: () => studio.actions.rewind(entry.id, key === 'undo' ? 'before' : 'after'),
          },
        ];
  return [
    ...rewind('undo', undo),
    ...rewind('redo', redo),
    {
      key: 'share',
      title: 'Share this shop',
      hint: 'as a file, a link or a test',
      words: 'share',
      href: `${hrefTo('activity')}?share`,
    },
    ...(Object.keys(themes) as (keyof typeof themes)[]).map((name) => ({
      key: `theme/${name}`,
      title: `Theme: ${name}`,
      hint: 'colours',
      words: `theme colours ${name}`,
      run: (root: Document | ShadowRoot) => setTheme(root, name),
    })),
  ];
}

function resets({ scenarios }: PaletteFacts): Named[] {
  return scenarios.map(({ name }) => ({
    key: `reset/${name}`,
    title: `Reset to the scenario ${name}`,
    hint: 'reset',
    send: { line: 'POST /_backlot/reset', body: { scenario: name } },
    confirm: `Reset the shop to ${name}?`,
    words: `reset scenario ${name}`,
  }));
}

/** Asks before a choice is done: the first answer changes nothing. */
export function confirmChoices(choice: Choice): Choice[] {
  return [
    { key: 'keep', title: 'Keep the shop as it is', hint: choice.confirm ?? '' },
    { ...choice, key: `${choice.key}/yes`, hint: 'can be undone' },
  ];
}

function searchChoices(text: string): Choice[] {
  const href = `${hrefTo('activity')}?filter=${encodeURIComponent(text)}`;
  return [{ key: 'search', title: `Requests that contain “${text}”`, hint: 'history', href }];
}

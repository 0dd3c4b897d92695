import {
  parseEntryFilter,
  type ChangedRecord,
  type EntryFilter,
} from '../engine/journal/entry-filter.ts';
import type { Summary } from './source.ts';
import type { Studio } from './studio.ts';

/** A filter as it was typed: `is:rejected user:7 text`. */
export interface Filter extends EntryFilter {
  /** The records that it names, whose histories must be loaded. */
  readonly records: readonly ChangedRecord[];
  /** Its error. Such a filter matches everything. */
  readonly issue?: string;
}

/** Parses the filters of `backlot tail`, while they are typed. */
export function parseFilter(studio: Studio, text: string): Filter {
  try {
    return {
      ...parseEntryFilter(text, studio.pages.value.filter.words),
      records: recordsIn(studio, text),
    };
  } catch (error) {
    const issue = error instanceof Error ? error.message : String(error);
    return { matches: () => true, records: [], issue };
  }
}

function recordsIn(studio: Studio, text: string): ChangedRecord[] {
  return [...text.matchAll(/(?<!\S)([\w-]+):(\d+)(?!\S)/g)].flatMap(([, name = '', id]) => {
    const record = studio.pages.value.filter.words.records.get(name);
    return record === undefined ? [] : [{ table: record.table, id: Number(id) }];
  });
}

/** The records that each entry changed, by its id, as far as they are known. */
export type Touched = ReadonlyMap<number, readonly ChangedRecord[]>;

/** Whether an entry passes a filter. */
export function passes(filter: Filter, touched: Touched, entry: Summary): boolean {
  return filter.matches(entry, touched.get(entry.id) ?? []) === true;
}

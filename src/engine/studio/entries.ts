import type { Move, RecordChange } from '../office/changes.ts';
import { countOf } from './format.ts';
import type { Source, Summary } from './source.ts';

export type { Move, RecordChange } from '../office/changes.ts';
export type FieldChange = RecordChange['fields'][number];

/** A whole entry, as `GET /_backlot/journal/:id` has it. */
export interface Entry extends Summary {
  readonly method?: string;
  readonly url?: string;
  readonly endpoint?: string | null;
  readonly request?: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly answer?: {
    readonly status: number;
    /** In milliseconds. */
    readonly delay?: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
    /** Why the body is not there. */
    readonly left_out?: string;
  };
  readonly faults?: readonly number[];
  readonly script?: readonly number[];
  readonly changes: readonly RecordChange[];
  readonly moves: readonly Move[];
  readonly rewindable: boolean;
}

const maxKept = 200;
const kept = new WeakMap<Source, Map<string, Promise<Entry | undefined>>>();

/** Returns a whole entry. Entries never change, so they are loaded once. */
export function entryOf(source: Source, { id, at, title }: Summary): Promise<Entry | undefined> {
  const entries = kept.get(source) ?? new Map<string, Promise<Entry | undefined>>();
  kept.set(source, entries);
  // A reset of the server begins with the same ids.
  const key = `${id} ${at} ${title}`;
  const known = entries.get(key);
  if (known !== undefined) return known;
  const loading = load(source, id);
  entries.set(key, loading);
  const [oldest = key] = entries.keys();
  if (entries.size > maxKept) entries.delete(oldest);
  return loading;
}

async function load(source: Source, id: number): Promise<Entry | undefined> {
  const { status, body } = await source.call<Entry>(`GET /_backlot/journal/${id}`);
  return status === 200 ? body : undefined;
}

/** How much of a meaning a row of a list has room for. */
const maxBrief = 44;

/**
 * What an entry meant in the few words that a row has room for: the names of the refused fields, what may have been meant,
 * or the first things that it did.
 */
export function briefOf(entry: Summary): string {
  const { outcome, meaning = '' } = entry;
  const whole = meaningOf(entry);
  const [, guess] = /Did you mean \S* ?(\/\S*)\?$/.exec(whole) ?? [];
  if (guess !== undefined) return `did you mean ${guess}?`;
  const [, first = '', others = ''] =
    /^(?:This form should not contain )?(.+?)(?:: .*)?\.? Also (.*)\.$/.exec(whole) ?? [];
  if (others !== '') return `${first}, ${others}`;
  const [lead = ''] = meaning.split(', ');
  if (outcome === 'declined') return lead === '' ? whole : `${whole} · ${lead}`;
  if (outcome !== 'ok') return whole;
  const parts = whole.split(', ');
  const shown = parts.filter((_, at) => parts.slice(0, at + 1).join(', ').length <= maxBrief);
  const more = parts.length - shown.length;
  if (shown.length === 0 || more === 0) return whole;
  return [...shown, `${more} more`].join(', ');
}

/** What an entry meant, or why it was refused. */
export function meaningOf({ outcome, reason, meaning, changed }: Summary): string {
  if (outcome === 'declined')
    return reason?.includes('declined') === true ? reason : `declined: ${reason ?? ''}`;
  return reason ?? meaning ?? (changed > 0 ? countOf(changed, 'record') : '');
}

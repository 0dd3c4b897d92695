import { signal } from '@preact/signals';
import { call } from './calls.ts';
import { countOf } from './format.ts';
import { messageOf } from './reply-message.ts';
import type { IdRanges, RewindEffects, Summary } from './source.ts';
import { isOwn } from './own-entries.ts';
import { noResponse, peek, revision, timeline } from './store.ts';
import { useAsync } from './ui.tsx';

/** A record of a table. */
export interface Row {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** Records by table. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

/** A state of the time line: that before or after an entry. */
export interface Stop {
  readonly id: number;
  readonly to: 'before' | 'after';
  readonly position: number;
}

interface Preview extends Stop {
  /** What letting go would do, once it is known. */
  readonly effects?: RewindEffects;
  /** Why the state cannot be shown, as the server says it. */
  readonly refused?: string;
}

/** The state that is shown while the slider of the time line is dragged. */
export const preview = signal<Preview | undefined>(undefined);

/** Returns what going to before or after an entry would do, undefined if it is not possible or not known yet. */
export function useRewindEffects(id: number, to: 'before' | 'after'): RewindEffects | undefined {
  return useAsync(
    () => peek<RewindEffects>(`GET ${rewindPath({ id, to })}`),
    [id, to, revision.value],
  );
}

function rewindPath({ id, to }: Pick<Stop, 'id' | 'to'>): string {
  return `/_backlot/journal/${id}/rewind?to=${to}`;
}

async function previewOf(stop: Stop): Promise<Preview> {
  try {
    const reply = await call<RewindEffects>(`GET ${rewindPath(stop)}`);
    return reply.status < 400
      ? { ...stop, effects: reply.body }
      : { ...stop, refused: messageOf(reply) };
  } catch {
    return { ...stop, refused: noResponse };
  }
}

let isLoading = false;

/** Previews a state. While the slider moves, one after another is loaded. */
export async function showPreview(stop: Stop): Promise<void> {
  preview.value = stop;
  if (isLoading) return;
  isLoading = true;
  let loaded: Preview | undefined;
  while (preview.value !== undefined && preview.value !== loaded) {
    const shown: Stop = preview.value;
    const told = await previewOf(shown);
    if (preview.value !== shown) continue;
    loaded = told;
    preview.value = loaded;
  }
  isLoading = false;
}

/** The last entry of the previewed state, once what it comes from is known; undefined for the present state. */
export function previewedEntry(): number | undefined {
  const { id = 0, to, effects } = preview.value ?? {};
  if (effects === undefined) return undefined;
  return to === 'before' ? id - 1 : id;
}

/** Whether the present state, or the previewed one, comes from an entry. */
export function isInEffect({ id, inEffect = true }: Summary): boolean {
  const previewed = preview.value?.effects?.idsInEffect;
  if (previewed !== undefined) return includes(previewed, id);
  const present = timeline.value?.idsInEffect;
  // The newest entry is always in effect, so the last range ends where the time line was loaded.
  return id > (present?.at(-1)?.[1] ?? 0)
    ? inEffect
    : present === undefined || includes(present, id);
}

function includes(ranges: IdRanges, id: number): boolean {
  return ranges.some(([first, last]) => id >= first && id <= last);
}

/**
 * `3 changes, 1 by this page`; `3 changes` if all are.
 *
 * @param ids those of the newest of them
 */
export function describeChanges(count: number, ids: readonly number[]): string {
  const own = ids.filter(isOwn).length;
  const changes = countOf(count, 'change');
  const isKnown = ids.length >= count;
  if (own === count || (own === 0 && !isKnown)) return changes;
  if (!isKnown) return `${changes}, at least ${own} by this page`;
  return `${changes}, ${own === 0 ? 'none' : own} by this page`;
}

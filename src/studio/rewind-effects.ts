import { countOf } from './format.ts';
import type { RewindEffects } from './source.ts';
import { rewindPath } from './preview.ts';
import { useStudio, type Studio } from './studio.ts';
import { useAsync } from './ui.tsx';

/** A record of a table. */
export interface Row {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** Records by table. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

/** Returns the effects of going to before or after an entry, undefined if it is not possible or they are not known yet. */
export function useRewindEffects(id: number, to: 'before' | 'after'): RewindEffects | undefined {
  const { client, shop } = useStudio();
  return useAsync(
    () => client.peek<RewindEffects>(`GET ${rewindPath({ id, to })}`),
    [id, to, shop.revision.value],
  );
}

/**
 * `3 changes, 1 by you`; `3 changes` if all are.
 *
 * @param ids those of the newest of them
 */
export function describeChanges(
  { history }: Studio,
  count: number,
  ids: readonly number[],
): string {
  const listed = history.summaries.value.filter(({ id }) => ids.includes(id));
  const owned = listed.filter((entry) => history.isOwn(entry)).length;
  const changes = countOf(count, 'change');
  const isKnown = ids.length >= count;
  if (owned === count || (owned === 0 && !isKnown)) return changes;
  if (!isKnown) return `${changes}, at least ${owned} by you`;
  return `${changes}, ${owned === 0 ? 'none' : owned} by you`;
}

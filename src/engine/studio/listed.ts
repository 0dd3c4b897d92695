import type { Summary } from './source.ts';

/** Returns entries with others, oldest first, each once. Mostly, the others are newer. */
export function withEntries(known: readonly Summary[], others: readonly Summary[]): Summary[] {
  const last = known.at(-1)?.id ?? -1;
  const isNewer = others.every(({ id }, at) => id > (others[at - 1]?.id ?? last));
  const all = [...known, ...others];
  if (isNewer) return all;
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  return [...byId.values()].toSorted((one, other) => one.id - other.id);
}

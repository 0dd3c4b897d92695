import type { Item } from '../definition/drift.ts';

/** Returns the records in a list; none for a value that is no list. */
export function itemsIn(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value.filter((one) => isItem(one)) : [];
}

function isItem(value: unknown): value is Item {
  return Number.isSafeInteger((value as Partial<Item> | null)?.id);
}

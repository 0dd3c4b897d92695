import type { KeptDetails } from '../journal/recorded-action.ts';
import type { EntryDetails } from './history-api.ts';

/** Returns what the history keeps of an entry. The journal knows its size only. */
export function detailsOf(
  recorded: { readonly details: KeptDetails | undefined } | undefined,
): EntryDetails | undefined {
  return recorded?.details as EntryDetails | undefined;
}

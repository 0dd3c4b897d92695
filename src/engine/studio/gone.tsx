import { goneChanges } from '../lib/gone-text.ts';
import { hasHistory } from './store.ts';

/** Says which changes are not kept, below what depends on them. */
export function Gone({ changesFrom }: { readonly changesFrom: number }) {
  const text = goneChanges(changesFrom);
  return text === undefined || !hasHistory.value ? null : <p class="soft">{text}</p>;
}

/** Says that nothing changed, as far back as changes are kept. @param whole what that is if all are */
export function unchangedText(changesFrom: number, whole: string): string {
  if (!hasHistory.value) return 'This server records no changes.';
  return changesFrom === 1 ? whole : `Unchanged since #${changesFrom}.`;
}

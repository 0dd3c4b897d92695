import { lostChanges } from '../engine/lib/lost-text.ts';
import { useStudio, type Studio } from './studio.ts';

/** Says which changes are not kept, below what depends on them. */
export function LostChanges({ changesFrom }: { readonly changesFrom: number }) {
  const studio = useStudio();
  const text = lostChanges(changesFrom);
  return text === undefined || !studio.shop.hasHistory.value ? null : <p class="soft">{text}</p>;
}

/** Says that nothing changed, as far back as changes are kept. @param whole what that is if all are */
export function unchangedText(studio: Studio, changesFrom: number, whole: string): string {
  if (!studio.shop.hasHistory.value) return 'This server records no changes.';
  return changesFrom === 1 ? whole : `Unchanged since #${changesFrom}.`;
}

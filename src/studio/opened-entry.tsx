import type { ComponentProps } from 'preact';
import { EntryDetail } from './entry-detail.tsx';
import { entryOf } from './entries.ts';
import type { Summary } from './source.ts';
import { useAsync } from './ui.tsx';
import { useStudio } from './studio.ts';

/** An entry of a list, with all that it changed, once it is loaded. */
export function OpenedEntry({
  entry,
  ...place
}: Pick<ComponentProps<typeof EntryDetail>, 'about' | 'isBeside'> & { readonly entry: Summary }) {
  const studio = useStudio();
  const loaded = useAsync(
    async () => (await entryOf(studio, entry)) ?? 'missing',
    [entry.id, entry.state],
  );
  if (loaded === 'missing') return <p class="detail">The journal no longer has this entry.</p>;
  if (loaded?.id !== entry.id) return <div class="detail" aria-busy="true" />;
  return <EntryDetail key={loaded.id} entry={loaded} {...place} />;
}

import { describeChanges, useRewindEffects } from './rewind-effects.ts';
import { useStudio } from './studio.ts';

/** Warns of other changes that going back to before an entry undoes: `Going back also takes back 2 changes, …`. */
export function RewindWarning({ what, id }: { readonly what: string; readonly id: number }) {
  const studio = useStudio();
  const { count, ids } = useRewindEffects(id, 'before')?.undone ?? { count: 0, ids: [] };
  if (count === 0) return null;
  return (
    <span class="soft">{`${what} also takes back ${describeChanges(studio, count, ids)}.`}</span>
  );
}

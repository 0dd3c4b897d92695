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

/**
 * Warns of later changes that undoing an action undoes, too. Changes that the action itself has restored, as a redo does,
 * are not among them.
 */
export function UndoWarning({ id }: { readonly id: number }) {
  const studio = useStudio();
  const { count = 0, ids = [] } = useRewindEffects(id, 'before')?.undone ?? {};
  const later = ids.filter((one) => one > id);
  if (later.length === 0) return null;
  const isKnown = later.length < ids.length || ids.length === count;
  const changes = describeChanges(studio, isKnown ? later.length : count, later);
  return <span class="soft">{` Undo would also take back what came later: ${changes}.`}</span>;
}

import { describeChanges, useRewindEffects } from './past.ts';
import { useStudio } from './studio.ts';

/** Says how many other changes going back to before an entry takes back: `Going back also takes back 2 changes, …`. */
export function TakesBack({ what, id }: { readonly what: string; readonly id: number }) {
  const studio = useStudio();
  const { count, ids } = useRewindEffects(id, 'before')?.undone ?? { count: 0, ids: [] };
  if (count === 0) return null;
  return (
    <span class="soft">{`${what} also takes back ${describeChanges(studio, count, ids)}.`}</span>
  );
}

/**
 * Says how many later changes undoing an action takes back. What the action itself has brought back, as a redo does, is none
 * of them.
 */
export function TakesBackLater({ id }: { readonly id: number }) {
  const studio = useStudio();
  const { count = 0, ids = [] } = useRewindEffects(id, 'before')?.undone ?? {};
  const later = ids.filter((one) => one > id);
  if (later.length === 0) return null;
  const isKnown = later.length < ids.length || ids.length === count;
  const changes = describeChanges(studio, isKnown ? later.length : count, later);
  return <span class="soft">{`. Undo would also take back what came later: ${changes}.`}</span>;
}

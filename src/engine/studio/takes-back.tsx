import { describeChanges, useRewindEffects } from './past.ts';

/** Says how many other changes going back to before an entry takes back: `Undo also takes back 2 changes, …`. */
export function TakesBack({ what, id }: { readonly what: string; readonly id: number }) {
  const { count, ids } = useRewindEffects(id, 'before')?.undone ?? { count: 0, ids: [] };
  if (count === 0) return null;
  return <span class="soft">{`${what} also takes back ${describeChanges(count, ids)}.`}</span>;
}

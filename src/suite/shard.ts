/** One of several runs that share a plan: 2 of 4. */
export interface Shard {
  readonly index: number;
  readonly total: number;
}

/** What a run tries of a plan. */
export interface PlanPart {
  /** The id of each trial of the whole plan, the worst first. */
  readonly plan: readonly string[];
  /** The positions in the plan of those of this run. */
  readonly places: readonly number[];
}

/**
 * Returns what a shard tries of a plan. Each group is of one shard: the largest groups are dealt out first, each to the shard with the
 * fewest trials so far. The shards of a plan have each trial once, on any machine.
 *
 * @param shard undefined for a run that tries all
 */
export function partOf<One extends { readonly id: string }>(
  planned: readonly One[],
  groupOf: (one: One) => string,
  shard: Shard | undefined,
): PlanPart & { readonly own: readonly One[] } {
  const plan = planned.map(({ id }) => id);
  if (shard === undefined) return { plan, places: [...planned.keys()], own: planned };
  const counts = Array.from({ length: shard.total }, () => 0);
  const groups = new Set<string>();
  const bySize = [...Map.groupBy(planned, groupOf)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  for (const [name, { length }] of bySize) {
    const least = counts.indexOf(Math.min(...counts));
    counts[least]! += length;
    if (least === shard.index - 1) groups.add(name);
  }
  const places = [...planned.keys()].filter((at) => groups.has(groupOf(planned[at]!)));
  return { plan, places, own: places.map((at) => planned[at]!) };
}

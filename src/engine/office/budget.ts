/**
 * Maximum characters in the journal, bytes of cached responses, held responses, bytes
 * of the history, and characters of an exported test. A server can have a thousand sessions.
 */
const standaloneBudget = {
  journal: 1_048_576,
  cached: 104_857_600,
  held: 10_000,
  history: 33_554_432,
  test: 67_108_864,
};
const sessionBudget = {
  journal: 65_536,
  cached: 49_152,
  held: 100,
  history: 262_144,
  test: 1_048_576,
};

/** Returns the budget of a back office, or of a session on a server. */
export function budgetOf({
  session,
  maxCachedBytes = standaloneBudget.cached,
}: {
  readonly session?: string | undefined;
  readonly maxCachedBytes?: number | undefined;
}): typeof standaloneBudget {
  const budget = session === undefined ? standaloneBudget : sessionBudget;
  const cached = session === undefined ? maxCachedBytes : Math.min(maxCachedBytes, budget.cached);
  return { ...budget, cached };
}

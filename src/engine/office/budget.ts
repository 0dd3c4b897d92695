/**
 * Maximum characters in the journal, bytes of the response cache and of the cache of the texts of orders, held responses,
 * bytes of the history, and characters of an exported test. A server can have a thousand sessions.
 */
const standaloneBudget = {
  journal: 1_048_576,
  responses: 262_144,
  texts: 104_857_600,
  held: 10_000,
  history: 33_554_432,
  test: 67_108_864,
};
const sessionBudget = {
  journal: 65_536,
  responses: 16_384,
  texts: 32_768,
  held: 100,
  history: 262_144,
  test: 1_048_576,
};

/** Returns the budget of a back office, or of a session on a server. */
export function budgetOf({
  session,
  maxCachedBytes = standaloneBudget.texts,
}: {
  readonly session?: string | undefined;
  readonly maxCachedBytes?: number | undefined;
}): typeof standaloneBudget {
  const budget = session === undefined ? standaloneBudget : sessionBudget;
  const texts = session === undefined ? maxCachedBytes : Math.min(maxCachedBytes, budget.texts);
  return { ...budget, texts };
}

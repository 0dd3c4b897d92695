import { factsOf, matchesFacts } from '../../checkout/script.ts';
import type { RecordedStep } from '../../definition/api.ts';
import type { ScriptMatch } from '../../models/script-rule.ts';
import type { Shop } from '../../resources/endpoint.ts';
import type { Frozen } from '../../store/row.ts';

/** Compares the order as it is now. Only the last four digits of a card are recorded. */
export function matchesRecorded(
  shop: Shop,
  { step, url, request }: RecordedStep,
  { on, match }: { readonly on: string; readonly match: Frozen<ScriptMatch> },
): boolean {
  if (step !== on) return false;
  const order = shop.db.orders.getWithDeleted(
    Number(/\d+/.exec(url.slice(shop.api.path.length))?.[0] ?? 0),
  );
  const { number } = (request.body ?? {}) as { readonly number?: unknown };
  const card = typeof number === 'string' ? number.slice(-4) : undefined;
  const facts = order === undefined ? {} : factsOf(shop, order);
  const lastFour = match.card?.slice(-4);
  return matchesFacts(
    lastFour === undefined ? match : { ...match, card: lastFour },
    card === undefined ? facts : { ...facts, card },
  );
}

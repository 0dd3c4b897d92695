import { factsOf, unmetFact, type Facts } from '../../checkout/script.ts';
import type { EngineShop } from '../../definition/api.ts';
import {
  unmet,
  type Fact,
  type TriedRequest,
  type TriedRule,
} from '../../definition/explanation.ts';
import type { ScriptMatch } from '../../models/script-rule.ts';
import { storeShop } from '../../resources/endpoint.ts';
import type { Frozen } from '../../store/row.ts';

/** Returns why a recorded request does not match a rule of the script; undefined if it does. */
function unmetByRequest(
  engine: EngineShop,
  { url, request }: Pick<TriedRequest, 'url' | 'request'>,
  match: Frozen<ScriptMatch>,
): Fact | undefined {
  const shop = storeShop(engine);
  // The order as it is now, and the last four digits of a card, because no others are recorded.
  const order = shop.db.orders.getWithDeleted(Number(/\d+/.exec(url)?.[0] ?? 0));
  const { number } = (request.body ?? {}) as { readonly number?: unknown };
  const card = typeof number === 'string' ? { card: number.slice(-4) } : {};
  const facts: Facts = { ...(order !== undefined && factsOf(shop, order)), ...card };
  const lastFour = match.card === undefined ? {} : { card: match.card.slice(-4) };
  const name = unmetFact({ ...match, ...lastFour }, facts);
  if (name === undefined) return undefined;
  const actual = name === 'totalFrom' || name === 'totalTo' ? facts.total : facts[name];
  return unmet(`${name} ${match[name]}`, actual);
}

/** Compares all rules with a request, in their order. */
export function triedScript(engine: EngineShop, tried: TriedRequest): TriedRule[] {
  const { db } = storeShop(engine);
  return db.scriptRules.page(0, db.scriptRules.count()).map((rule) => {
    const { id, on, off, match, nth, first, matched } = rule;
    const applied = tried.script.includes(id);
    const because = (): Fact => {
      if (off === true) return unmet('switched on', 'switched off');
      if (tried.step !== on) return unmet(`step ${on}`, tried.step);
      const fact = unmetByRequest(engine, tried, match);
      if (fact !== undefined) return fact;
      if (nth !== undefined) return unmet(`match ${nth}`, `${matched} matches by now`);
      if (first !== undefined) return unmet(`the first ${first} matches`, `${matched} by now`);
      return unmet('no earlier rule applies', tried.script.map((one) => `rule ${one}`).join(', '));
    };
    return { rule: id, applied, because: applied ? metFacts(match) : [because()] };
  });
}

/** Returns what a rule that applied asks for. */
function metFacts(match: Frozen<ScriptMatch>): Fact[] {
  return Object.entries(match).map(([name, value]) => {
    // No more of a card is recorded.
    const wanted = name === 'card' ? `card ends in ${String(value).slice(-4)}` : `${name} ${value}`;
    return { wanted, actual: wanted, met: true };
  });
}

import type { EngineShop } from '../../engine/definition/api.ts';
import {
  unmet,
  type Fact,
  type TriedRequest,
  type TriedRule,
} from '../../engine/definition/explanation.ts';
import type { ScriptMatch } from '../models/script-rule.ts';
import { storeShop } from '../resources/endpoint.ts';
import type { Frozen } from '../../engine/store/row.ts';
import { unmetByRequest } from '../recorded-script.ts';

/** Compares all rules with a request, in their order. */
export function triedScript(engine: EngineShop, tried: TriedRequest): TriedRule[] {
  const { db } = storeShop(engine);
  return db.scriptRules.page(0, db.scriptRules.count()).map((rule) => {
    const { id, on, off, match, nth, first } = rule;
    const applied = tried.script.includes(id);
    const because = (): Fact => {
      if (off === true) return unmet('switched on', 'switched off');
      if (tried.step !== on) return unmet(`step ${on}`, tried.step);
      const fact = unmetByRequest(storeShop(engine), tried, match);
      if (fact !== undefined) return fact;
      if (nth !== undefined) return unmet(`match ${nth}`, 'another one');
      if (first !== undefined) return unmet(`the first ${first} matches`, 'a later one');
      return unmet(
        'no earlier script applies',
        tried.script.map((one) => `script ${one}`).join(', '),
      );
    };
    return { rule: id, applied, because: applied ? metFacts(match) : [because()] };
  });
}

/** Returns the effect of a rule that applied. */
function metFacts(match: Frozen<ScriptMatch>): Fact[] {
  return Object.entries(match).map(([name, value]) => {
    // No more of a card is recorded.
    const wanted = name === 'card' ? `card ends in ${String(value).slice(-4)}` : `${name} ${value}`;
    return { wanted, actual: wanted, met: true };
  });
}

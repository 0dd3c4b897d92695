import { addRule, listRules, removeRule, type ScriptRuleInput } from '../checkout/script-rules.ts';
import type { ScriptRule } from '../models/script-rule.ts';
import type { OpenShop } from '../scenario/start.ts';
import type { Atomic } from '../store/transaction.ts';

/** The checkout script of a back office: the outcomes of its steps. */
export interface ScriptApi {
  /** @throws Problem `invalid` for a rule that is malformed or can never match */
  add(rule: ScriptRuleInput): ScriptRule;
  /** In the order in which they are matched. */
  list(): readonly ScriptRule[];
  /** @throws Problem `missing` */
  remove(id: number): void;
  clear(): void;
}

export function createScriptApi(shop: OpenShop, atomic: Atomic): ScriptApi {
  return {
    add: (rule) => atomic(() => addRule(shop, rule)),
    list: () => listRules(shop),
    remove: (id) => removeRule(shop, id),
    clear() {
      for (const { id } of listRules(shop)) removeRule(shop, id);
    },
  };
}

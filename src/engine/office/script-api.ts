import type { EngineShop } from '../definition/api.ts';
import type { Row } from '../store/row.ts';
import type { Atomic } from '../store/transaction.ts';

/** The script of a back office: the outcomes of its steps. */
export interface ScriptApi<Input = unknown, Rule extends Row = Row> {
  /** @throws Problem `invalid` for a rule that is malformed or can never match */
  add(rule: Input): Rule;
  /** Replaces a rule in its place, and restarts its counts. @throws Problem `missing`, or as `add` */
  replace(id: number, rule: Input): Rule;
  /** In the order in which they are matched. */
  list(): readonly Rule[];
  /** @throws Problem `missing` */
  remove(id: number): void;
  clear(): void;
}

export function createScriptApi(shop: EngineShop, atomic: Atomic): ScriptApi {
  const { script } = shop.api;
  const rules = script.rules(shop);
  const list = () => rules.page(0, rules.count());
  return {
    add: (rule) => atomic(() => script.add(shop, rule)),
    replace: (id, rule) => atomic(() => script.replace(shop, id, rule)),
    list,
    remove: (id) => void rules.remove(id),
    clear() {
      for (const { id } of list()) rules.remove(id);
    },
  };
}

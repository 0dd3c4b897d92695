import type { EngineShop } from '../definition/api.ts';
import type { OrderExplanation } from '../definition/explanation.ts';
import { redactResponse } from '../journal/redaction.ts';
import { Problem } from '../lib/problem.ts';

/** Says why, from the code that decides. Secrets are masked. */
export interface ExplainApi {
  /**
   * Returns why an order has its total: its lines, and every promotion, applied or not, with the facts that decided it.
   *
   * @throws Problem `missing`
   */
  order(id: number): OrderExplanation;
}

export function createExplainApi(shop: EngineShop): ExplainApi {
  return {
    order(id) {
      const { explain, name } = shop.api;
      if (explain === undefined) throw new Problem('missing', `API ${name} explains no orders.`);
      return redactResponse(explain.order(shop, id)) as OrderExplanation;
    },
  };
}

import { oauth, passwordReset } from './accounts.ts';
import { backorder, refund } from './fulfilment.ts';
import { checkout, couponLimit, declinedCard } from './orders.ts';
import type { StoreWorkflow } from './store-workflow.ts';

/** All workflows of the store. */
export const workflows: readonly StoreWorkflow[] = [
  checkout,
  declinedCard,
  couponLimit,
  backorder,
  refund,
  passwordReset,
  oauth,
];

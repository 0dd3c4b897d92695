import { oauth, passwordReset } from './accounts.ts';
import { backorder, refund } from './fulfilment.ts';
import { checkout, couponLimit, declinedCard } from './orders.ts';
import type { Workflow } from './workflow.ts';

/** All workflows. */
export const workflows: readonly Workflow[] = [
  checkout,
  declinedCard,
  couponLimit,
  backorder,
  refund,
  passwordReset,
  oauth,
];

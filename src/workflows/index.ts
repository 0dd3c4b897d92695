import { oauth, passwordReset } from './accounts.ts';
import { backorder, checkout, couponLimit, declinedCard, refund } from './orders.ts';
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

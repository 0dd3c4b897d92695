import {
  cartSteps,
  checkoutSteps,
  orderCleanUp,
  orderInputs,
  pay,
  purchase,
  readOrder,
} from './steps.ts';
import type { Workflow } from './workflow.ts';

const checkout: Workflow = {
  id: 'checkout',
  summary: 'A checkout from the cart to the payment',
  description:
    'Opens a cart, adds an item, takes each step of the checkout, and pays by card. The order is then confirmed.',
  inputs: orderInputs,
  steps: [
    ...cartSteps,
    ...checkoutSteps,
    pay,
    readOrder('readOrder', { '/state': 'confirmed', '/payments/0/state': 'completed' }),
  ],
  cleanUp: orderCleanUp,
};

const declinedCard: Workflow = {
  id: 'declinedCard',
  summary: 'A declined card and the second try',
  description:
    'Pays with a card that is declined. The order stays pending, and a purchase with another card makes a new payment.',
  inputs: orderInputs,
  steps: [
    ...cartSteps,
    ...checkoutSteps,
    {
      id: 'payWithDeclinedCard',
      summary: 'Pay with a card that is declined. The setting `declinedStatus` decides the status.',
      ...purchase('4000000000000002'),
      status: [200, 402],
      expect: { '/state': 'pending', '/checkout_state': 'finalize', '/payments/0/state': 'failed' },
    },
    {
      id: 'payWithOtherCard',
      summary: 'Pay with another card.',
      ...purchase(),
      status: 200,
      expect: {
        '/state': 'confirmed',
        '/checkout_state': 'completed',
        '/payments/0/state': 'failed',
        '/payments/1/state': 'completed',
      },
    },
  ],
  cleanUp: orderCleanUp,
};

/** All workflows. */
export const workflows: readonly Workflow[] = [checkout, declinedCard];

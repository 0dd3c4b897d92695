import type { CheckoutDefinition } from '../engine/definition/api.ts';
import type { Shop as CheckoutShop } from './checkout/shop.ts';
import type { Step } from './checkout/step.ts';
import { recalculate } from './checkout/totals.ts';
import type { CheckoutState, Order } from './models/order.ts';
import { stepEndpoint } from './resources/checkout.ts';

/** Orders, and the steps that an extension adds to their checkout. */
export const checkout: CheckoutDefinition = {
  table: 'orders',
  singular: 'order',
  field: 'checkout_state',
  last: 'confirm',
  step(label, added): Step<object> {
    const undo = ({ db }: CheckoutShop, { id }: Order): void => {
      for (const row of db.adjustments.by('order', id))
        if (row.label === label) db.adjustments.remove(row.id);
    };
    return {
      prepare: (_shop, _order, input) => input,
      submit(shop, order, input) {
        undo(shop, order);
        const { db } = shop;
        const fields = { order_id: order.id, label, neutral: false, locked: true };
        added.submit(shop, order, input, (description, amount) => {
          db.adjustments.add({ ...fields, description, amount });
        });
        const changed = db.orders.get(order.id) ?? order;
        return recalculate(shop, changed, {}, { checkout_state: label as CheckoutState });
      },
      undo,
      defaultInput: () => added.defaultInput,
    };
  },
  endpoint: ({ name, ...row }) => ({
    ...stepEndpoint(name, { ...row, input: ({ body }) => body }),
    isExtension: true,
  }),
};

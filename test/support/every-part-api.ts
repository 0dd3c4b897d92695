import { extendApi, fault, field, resource, step } from '../../src/define.ts';
import { everyField } from './every-field-api.ts';

/** The definition with every kind of field, and each other part that a definition can have: three resources, UUIDs, a path. */
export const everyPart = extendApi(everyField, {
  path: '/rest/V1',
  resources: {
    wishlists: resource({
      singular: 'wishlist',
      fields: {
        name: field.text({ min: 2 }),
        user: field.ref('users', { filter: true, onDelete: 'delete' }),
        order: field.ref('orders', { optional: true, filter: true, onDelete: 'clear' }),
        gadgets: field.refs('gadgets', { max: 100 }),
      },
    }),
    giftCards: resource({
      singular: 'gift card',
      fields: { wishlist: field.ref('wishlists'), amount: field.money({ min: 100 }) },
    }),
  },
  steps: {
    gift_wrapping: step({
      after: 'shipping',
      optional: true,
      body: { giftWrap: field.flag(), card: field.ref('gadgets', { optional: true }) },
      submit({ order, body, charge }) {
        if (body.giftWrap) charge(order, 'Gift wrapping', 350);
      },
    }),
  },
  faults: {
    maintenance: fault({
      description: 'respond with a page instead of JSON',
      value: field.text({ example: 'noon' }),
      replaces: true,
      apply: ({ value }) => ({ status: 503, headers: {}, body: `<h1>Closed until ${value}</h1>` }),
    }),
  },
  auth: () => true,
  ids: { orders: 'uuid', users: 'uuid', gadgets: 'uuid', wishlists: 'uuid' },
  scenarios: { default: { data: { wishlists: [{ name: 'Spring', user: 1, gadgets: [1] }] } } },
});

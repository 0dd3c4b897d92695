import { extendApi, fault, field, resource, storeApi } from '../../src/define.ts';

/** A shop of its own, as its users write it: fields, a resource, an endpoint, a rule and a path. */
export const company = extendApi(storeApi, {
  path: '/api/v1',
  fields: {
    users: {
      loyaltyPoints: field.integer({ min: 0, default: 0, filter: true, sort: true }),
      tier: field.computed(
        (user: { loyalty_points: number }) => (user.loyalty_points >= 1000 ? 'gold' : 'basic'),
        field.text(),
      ),
    },
    orders: { giftNote: field.text({ optional: true, filter: true }) },
  },
  resources: {
    wishlists: resource({
      singular: 'wishlist',
      fields: {
        name: field.text({ min: 2, filter: true, sort: true }),
        user: field.ref('users', { filter: true, onDelete: 'delete' }),
        variants: field.refs('variants', { max: 100, example: [7, 9] }),
      },
      unique: { name: ['user', 'name'] },
      endpoints: {
        'POST /:id/cart': {
          summary: 'Make a cart of a wishlist',
          body: { channel: field.ref('channels'), currency: field.text({ example: 'EUR' }) },
          status: 201,
          answer: 'Order',
          handle({ record, body: { channel, currency }, checkout, db }) {
            const cart = checkout.createOrder({
              channel_id: channel,
              user_id: record.user,
              currency,
            });
            for (const variant of record.variants) {
              const unit_price = db.variants.get(variant)?.price ?? 0;
              checkout.addItem(cart.id, { variant_id: variant, quantity: 1, unit_price });
            }
            return cart;
          },
        },
      },
    }),
  },
  rules: {
    purchase: {
      body: { confirmed: field.flag({ optional: true }) },
      check: ({ order, body, issue }) =>
        order.total > 500_00 && body.confirmed !== true
          ? [issue('confirmed', 'Confirm purchases over 500.00 EUR.')]
          : [],
    },
  },
  faults: {
    maintenance: fault({
      description: 'respond with a page',
      value: field.text({ example: 'noon' }),
      replaces: true,
      apply: ({ value }) => ({
        status: 503,
        headers: { 'content-type': 'text/html' },
        body: `<h1>Closed until ${value}</h1>`,
      }),
    }),
  },
  scenarios: { default: { data: { wishlists: [{ name: 'Spring', user: 1, variants: [7, 9] }] } } },
});

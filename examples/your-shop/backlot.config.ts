import { extendApi, field, resource, step, storeApi } from 'backlot/define';

export default extendApi(storeApi, {
  path: '/api/v1',
  fields: {
    users: { loyaltyPoints: field.integer({ min: 0, default: 0, filter: true, sort: true }) },
  },
  resources: {
    wishlists: resource({
      singular: 'wishlist',
      fields: {
        name: field.text({ min: 2 }),
        user: field.ref('users', { filter: true, onDelete: 'delete' }),
        variants: field.refs('variants', { max: 100 }),
      },
      unique: { name: ['user', 'name'] },
      endpoints: {
        'POST /:id/cart': {
          summary: 'Make a cart of a wishlist',
          body: { channel: field.ref('channels'), currency: field.text({ example: 'EUR' }) },
          status: 201,
          answer: 'Order',
          handle({ record, body: { channel, currency }, checkout }) {
            const customer = { channel_id: channel, user_id: record.user, currency };
            const cart = checkout.createOrder(customer);
            for (const variant_id of record.variants)
              checkout.addItem(cart.id, { variant_id, quantity: 1, unit_price: 25_000 });
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
  steps: {
    gift_wrapping: step({
      after: 'shipping',
      optional: true,
      body: { giftWrap: field.flag() },
      submit({ order, body, charge }) {
        if (body.giftWrap) charge(order, 'Gift wrapping', 350);
      },
    }),
  },
  on: {
    'order.confirmed'({ order, db }) {
      const loyalty_points = Math.floor(order.total / 100);
      db.users.change(order.user_id, { loyalty_points });
    },
  },
  scenarios: { default: { data: { wishlists: [{ name: 'Spring', user: 1, variants: [7, 9] }] } } },
});

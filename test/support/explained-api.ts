import { extendApi, field, step } from '../../src/define.ts';
import { everyField } from './every-field-api.ts';

/** A definition with every kind of field, in forms of resources, of the store, of a step and of rules, which refuse some. */
export const explainedApi = extendApi(everyField, {
  steps: {
    gift_wrapping: step({
      after: 'shipping',
      optional: true,
      body: { giftWrap: field.flag(), paper: field.text({ optional: true }) },
      check: ({ body, issue }) =>
        body.paper === 'x' ? [issue('paper', 'There is no such paper.')] : [],
      submit({ order, body, charge }) {
        if (body.giftWrap) charge(order, 'Gift wrapping', 350);
      },
    }),
  },
  rules: {
    'POST /api/users/': {
      body: { age: field.integer({ min: 18 }) },
      check: ({ body, issue }) => (body.age > 150 ? [issue('age', 'Nobody is so old.')] : []),
    },
    'DELETE /api/users/:user_id': {
      check: ({ params, db }) => {
        const orders = db.orders
          .all()
          .filter((order) => String(order.user_id) === params['user_id']).length;
        return [{ wanted: 'no orders', actual: `${orders}`, met: orders === 0 }];
      },
    },
  },
});

import { extendApi, field, resource, storeApi } from '../../src/define.ts';

/** Every kind of field, once in each way that it can be told. */
export const plainFields = {
  text: field.text({ min: 2, max: 80, filter: true, sort: true, description: 'What it is called' }),
  integer: field.integer({ min: 0, max: 9, filter: true, sort: true }),
  decimal: field.decimal({ min: 0.5, filter: true }),
  money: field.money({ filter: true, sort: true }),
  flag: field.flag({ filter: true }),
  time: field.time({ filter: true, sort: true }),
  oneOf: field.oneOf(['red', 'green'], { filter: true, as: 'colour' }),
  texts: field.texts({ min: 1, max: 3 }),
  ref: field.ref('users', { filter: true, onDelete: 'delete' }),
  refs: field.refs('variants', { onDelete: 'clear', filter: true }),
  computed: field.computed((gadget: { integer: number }) => gadget.integer * 2, field.integer()),
  anything: field.computed(() => ({ of: ['any', 'kind'] })),
};

/** A definition with every kind of field, in a resource and in a table of the store: required, optional and by default. */
export const everyField = extendApi(storeApi, {
  fields: {
    users: {
      nickname: field.text({ optional: true, filter: true, sort: true }),
      loyaltyPoints: field.integer({ default: 0, filter: true }),
      tier: field.oneOf(['gold', 'basic'], { default: 'basic' }),
      tags: field.texts({ default: ['new'] }),
      credit: field.money({ default: 0 }),
      mentor: field.ref('users', { optional: true, onDelete: 'clear' }),
      rank: field.computed(
        (user: { loyalty_points: number }) => user.loyalty_points > 10,
        field.flag(),
      ),
    },
    orders: { giftNote: field.text({ optional: true }), isGift: field.flag({ default: false }) },
    products: { brand: field.text({ default: 'None', filter: true }) },
  },
  resources: {
    gadgets: resource({
      singular: 'gadget',
      description: 'Things with every kind of field',
      fields: plainFields,
      unique: { text: ['text', 'ref'] },
      endpoints: {
        'POST /:id/cart': {
          summary: 'Make a cart of a gadget',
          body: { currency: field.text({ example: 'EUR' }), note: field.text({ optional: true }) },
          status: 201,
          answer: 'Order',
          handle: ({ record, body, checkout }) =>
            checkout.createOrder({ channel_id: 1, user_id: record.ref, currency: body.currency }),
        },
        'DELETE /:id/texts': {
          summary: 'Remove the texts of a gadget',
          handle: ({ record, db }) => void db.gadgets?.change(record.id, { texts: ['none'] }),
        },
      },
    }),
  },
  rules: { purchase: { body: { confirmed: field.flag({ optional: true }) }, check: () => [] } },
  scenarios: {
    default: {
      data: {
        gadgets: [
          {
            text: 'Lamp',
            integer: 3,
            decimal: 1.5,
            money: 500,
            flag: true,
            time: '2026-03-02T09:00:00+0000',
            colour: 'red',
            texts: ['one'],
            ref: 1,
            refs: [7],
          },
        ],
      },
    },
  },
});

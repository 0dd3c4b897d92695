import { expect, test } from 'vitest';
import { extendApi, fault, field, resource, step, storeApi } from '../../src/define.ts';

const note = (options: object) => ({
  resources: {
    notes: resource({ singular: 'note', fields: { text: field.text() }, ...options }),
  },
});
const optional = { optional: true } as const;
const handle = (): void => undefined;
const wrapping = (options: object) => ({
  steps: {
    wrapping: step({
      after: 'shipping',
      body: { wrap: field.flag() },
      submit: handle,
      ...options,
    }),
  },
});

/** Definitions that TypeScript does not see, or cannot. Each message says where, what, and what would be right. */
const wrong: readonly (readonly [definition: object, message: string | RegExp])[] = [
  [{ feilds: {} }, '(top): Unrecognized key: "feilds" (did you mean "fields"?)'],
  [[], '(top): must be an object, after the API: `extendApi(storeApi, { … })`'],
  [{ path: 5 }, 'path: must be a path like /api/v1, or an empty text'],
  [{ auth: true }, 'auth: must be a function: `({ request, db }) => …`'],
  [{ ids: 'uuid' }, "ids: must be an object: `{ orders: 'uuid' }`"],
  [{ fields: null }, 'fields: must be an object: `{ users: { … } }`'],
  [
    { fields: { users: { points: 'integer' } } },
    'fields.users.points: must be made by `field` of backlot/define: `field.integer({ … })`',
  ],
  [note({ fields: { text: null } }), 'resources.notes.fields.text: must be made by `field`'],
  [
    { resources: { notes: 'note' } },
    'resources.notes: must be made by `resource` of backlot/define: `resource({ … })`',
  ],
  [note({ singular: undefined }), 'resources.notes.singular: must be a name: `wishlist`'],
  [wrapping({ body: undefined }), 'steps.wrapping.body: must be an object'],
  [{ rules: { purchase: handle } }, 'rules.purchase: must be an object: `{ check: … }`'],
  [{ rules: { purchase: { check: [] } } }, 'rules.purchase.check: must be a function'],
  [{ on: { 'order.confirmed': null } }, 'on.order.confirmed: must be a function'],
  [{ scenarios: { sale: null } }, 'scenarios.sale: must be a scenario: `{ data: { … } }`'],
  [{ path: 'api/v1/' }, /such as '\/api\/v1'/],
  [
    { fields: { user: {} } },
    'fields.user: Unrecognized resource: "user" (did you mean "users"?); known: addresses, channels',
  ],
  [
    { ids: { order: 'uuid' } },
    'ids.order: Unrecognized resource: "order" (did you mean "orders"?)',
  ],
  [{ ids: { tokens: 'uuid' } }, 'ids.tokens: Unrecognized resource: "tokens"; known: addresses'],
  [{ ids: { orders: 'ulid' } }, 'ids.orders: must be \'uuid\', not "ulid"'],
  [
    { fields: { users: { email: field.text(optional) } } },
    'fields.users.email: exists already: email of users cannot be changed',
  ],
  [
    { fields: { users: { firstName: field.text(optional) } } },
    'fields.users.firstName: exists already',
  ],
  [
    { fields: { users: { points: field.integer() } } },
    'fields.users.points: needs a `default`, or `optional: true`: the records that exist lack it',
  ],
  [
    { fields: { users: { Points: field.integer(optional) } } },
    'fields.users.Points: must be in camelCase, as parameters of the store are, or in snake_case: `loyaltyPoints`, `loyalty_points`',
  ],
  ...['then', 'toString', 'constructor', '__proto__', 'toJSON'].flatMap((name) => {
    const message = `${name}: has a meaning for every object of JavaScript: choose another name`;
    return [
      [{ fields: { users: { [name]: field.text(optional) } } }, `fields.users.${message}`],
      [
        { resources: { [name]: resource({ singular: 'one', fields: { a: field.text() } }) } },
        `resources.${message}`,
      ],
      [{ steps: { [name]: wrapping({}).steps.wrapping } }, `steps.${message}`],
      [
        { faults: { [name]: fault({ value: field.flag(), apply: () => ({ status: 503 }) }) } },
        `faults.${message}`,
      ],
    ] as const;
  }),
  [
    { fields: { users: { points: field.integer({ default: 1.5 }) } } },
    'fields.users.points: has a default that its kind does not allow: 1.5',
  ],
  [
    { fields: { users: { points: field.integer({ as: 'created_at', default: 1 }) } } },
    'fields.users.points: exists already',
  ],
  [
    { fields: { users: { friend: field.ref('user', optional) } } },
    'fields.users.friend: Unrecognized table: "user" (did you mean "users"?)',
  ],
  [
    note({ fields: { owner: field.ref('users', { onDelete: 'clear' }) } }),
    'resources.notes.fields.owner: can only be cleared if it is `optional: true`',
  ],
  [
    { resources: { notes: { singular: 'note', fields: {} } } },
    'resources.notes: must be made by `resource` of backlot/define: `notes: resource({ … })`',
  ],
  [{ steps: { wrapping: { after: 'shipping' } } }, 'steps.wrapping: must be made by `step`'],
  [{ faults: { late: { apply: handle } } }, 'faults.late: must be made by `fault`'],
  [
    note({ fields: { id: field.integer() } }),
    'resources.notes.fields.id: is a name of every record',
  ],
  [
    note({ fields: { parent: field.ref('notes') } }),
    'resources.notes: no record can be the first: its required references lead back to it',
  ],
  [
    {
      resources: {
        notes: resource({ singular: 'note', fields: { page: field.ref('pages') } }),
        pages: resource({ singular: 'page', fields: { note: field.ref('notes') } }),
      },
    },
    'resources.pages: no record can be the first',
  ],
  [
    { resources: { users: resource({ singular: 'person', fields: {} }) } },
    'resources.users: exists already: add to it by `fields`',
  ],
  [
    { resources: { checkouts: resource({ singular: 'checkout', fields: {} }) } },
    'resources.checkouts: cannot be served at /api/checkouts/',
  ],
  [note({ singular: 'order' }), 'resources.notes.singular: is the name of another one: order'],
  [
    note({ unique: { txt: [] } }),
    'resources.notes.unique.txt: Unrecognized field: "txt" (did you mean "text"?); known: text',
  ],
  [
    note({ endpoints: { 'post all': { summary: 'All', handle } } }),
    'resources.notes.endpoints.post all: must be a method and a path below the resource: `POST /:id/publish`',
  ],
  [
    note({ endpoints: { 'DELETE /:id': { summary: 'Delete', handle } } }),
    'resources.notes.endpoints.DELETE /:id: is an endpoint that notes have already',
  ],
  [
    note({ endpoints: { 'POST /all': { summary: 'All', answer: 'Ordr', handle } } }),
    'resources.notes.endpoints.POST /all.answer: Unrecognized view: "Ordr" (did you mean "Order"?)',
  ],
  [
    { rules: { purchas: {} } },
    'rules.purchas: Unrecognized step: "purchas" (did you mean "purchase"?)',
  ],
  [
    { rules: { 'POST /api/user/': {} } },
    'rules.POST /api/user/: Unrecognized endpoint: "POST /api/user/" (did you mean "POST /api/users/"?)',
  ],
  [
    { rules: { purchase: { body: { number: field.text() } } } },
    'rules.purchase.body.number: exists already',
  ],
  [
    wrapping({ after: 'confirm' }),
    'steps.wrapping.after: must be one of addressing, shipping, payment, not confirm',
  ],
  [wrapping({ body: {} }), 'steps.wrapping.body: needs a parameter'],
  [
    wrapping({ body: { paymentMethod: field.text() } }),
    'steps.wrapping.body.paymentMethod: is a parameter of another step',
  ],
  [
    wrapping({ body: { paper: field.ref('papers') } }),
    'steps.wrapping.body.paper: Unrecognized table: "papers"',
  ],
  [
    {
      steps: {
        shipping: step({ after: 'addressing', body: { gift: field.flag() }, submit: handle }),
      },
    },
    'steps.shipping: exists already',
  ],
  [
    {
      steps: { Wrap: step({ after: 'addressing', body: { gift: field.flag() }, submit: handle }) },
    },
    'steps.Wrap: must be in snake_case, as states are: `gift_wrapping`',
  ],
  [
    { on: { 'order.confirm': handle } },
    'on.order.confirm: Unrecognized state: "order.confirm" (did you mean "order.confirmed"?)',
  ],
];

test.each(wrong)('the definition %j is refused', (definition, message) => {
  expect(() => extendApi(storeApi, definition as never)).toThrow(message);
});

test('all mistakes are found at once', () => {
  const definition = { feilds: {}, fields: { user: {} }, rules: { purchas: {} } };
  expect(() => extendApi(storeApi, definition as never)).toThrow(
    /^This definition is not valid:(\n {2}.+){3}\nSee \S+$/,
  );
});

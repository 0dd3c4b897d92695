import type { ApiDocuments } from '../engine/definition/api.ts';

/** What the documents of the store say in the place of texts for any API, by those texts. */
export const documentTexts: Readonly<Record<string, string>> = {
  '`PUT /api/users/3`, `snapshot paid`': '`PUT /api/checkouts/3`, `snapshot paid`',
  'What it did, in words: `article → published, 2 comments → open`':
    'What it did, in words: `order → pending, 2 inventory units → onhold`',
  'Step of a request': 'Checkout step of a request',
  'The program that sent it: `admin-web`, `Chrome 153`':
    'The program that sent it: `checkout-web`, `Chrome 153`',
  'State that it starts from; absent if it can be taken at any time':
    'State of the checkout that it starts from; absent if it is no step of the checkout',
  'State that it leads to': 'State of the checkout that it leads to',
  'Whether a record may go past it': 'Whether an order may go past it',
  'The table of its records, as in an export: `article_comments`':
    'The table of its records, as in an export: `inventory_units`',
  'Offer it to links: `/_backlot/begin?snapshot=before-test`':
    'Offer it to links: `/_backlot/begin?snapshot=before-payment`',
  'Values of fields that the records have, as text: `where[city]=Oslo`; `*` stands for any text: `where[email]=*ada*`':
    'Values of fields that the records have, as text: `where[state]=cart`; `*` stands for any text: `where[email]=*ada*`',
  'Only this step': 'Only this checkout step',
  'Parameters of path, query or body, compared as text: `{ "user_id": 3, "address.city": "Oslo" }`':
    'Parameters of path, query or body, compared as text: `{ "order_id": 3, "shippingAddress.country": 1 }`',
  'Method and path: `PUT /api/users/:user_id`, `/api/users/*`, `DELETE`':
    'Method and path: `PUT /api/checkouts/:order_id`, `/api/orders/*`, `DELETE`',
  '`PUT /api/users/:user_id`; absent if no endpoint was reached':
    '`PUT /api/checkouts/:order_id`; absent if no endpoint was reached',
  Step: 'Checkout step',
  'Script from `now` on; the first rule that matches applies':
    'Checkout script from `now` on; the first rule that matches applies',
  'It was declined, if the setting `declinedStatus` is 402':
    'The payment was declined, if the setting `declinedStatus` is 402',
  'Method and path of an endpoint or a URL: `PUT /api/users/:user_id`':
    'Method and path of an endpoint or a URL: `PUT /api/checkouts/:order_id`',
  'Step of the request': 'Checkout step of the request',
  'Why the records that it changed, at most 20, were as they were after it':
    'Why the orders that it changed, at most 20, had their totals after it',
};

/** Summaries and examples of control endpoints for the store, by method and path. */
export const controlTexts: NonNullable<ApiDocuments['control']> = {
  'GET /_backlot/tables/:name': {
    summary: 'List records of a table: `where[state]=cart`, `sort=-updated_at`',
    example: { url: '/_backlot/tables/orders?where[state]=cart&sort=-id&limit=2' },
  },
  'GET /_backlot/journal': {
    example: { url: '/_backlot/journal?request=PUT+/api/checkouts/:order_id&status=4xx' },
  },
  'POST /_backlot/journal/find': {
    example: {
      url: '/_backlot/journal/find',
      body: { request: 'POST /api/orders/', body: { currency: 'EUR' } },
    },
  },
  'POST /_backlot/faults': {
    example: {
      url: '/_backlot/faults',
      body: { match: { method: 'PUT', path: '/api/checkouts/:order_id' }, first: 2, status: 503 },
    },
  },
  'POST /_backlot/script': {
    example: {
      url: '/_backlot/script',
      body: { on: 'purchase', match: { card: '4242' }, outcome: 'declined', first: 2 },
    },
  },
  'PUT /_backlot/script/:rule_id': {
    example: {
      url: '/_backlot/script/1',
      body: { on: 'purchase', outcome: 'declined', off: true },
    },
  },
  'POST /_backlot/snapshot': {
    example: { url: '/_backlot/snapshot', body: { name: 'before-payment' } },
  },
  'POST /_backlot/snapshot/:name/restore': {
    example: { url: '/_backlot/snapshot/before-payment/restore' },
  },
  'DELETE /_backlot/snapshot/:name': { example: { url: '/_backlot/snapshot/before-payment' } },
};

import type { ApiDocuments } from '../engine/definition/api.ts';

/** The texts of the store that replace those for any API in documents. */
export const documentTexts = {
  entryTitle: '`PUT /api/checkouts/3`, `restored the snapshot paid`',
  entryMeaning: 'What it did, without who did it: `paid order 119, 54.40 EUR`',
  entrySentence: 'What it did, and who: `checkout-web paid order 119, 54.40 EUR`',
  entryStep: 'Checkout step of a request',
  entryClient: 'The program that sent it: `checkout-web`, `Chrome 153`',
  explainedRecords:
    'Why the orders that it changed, at most 20, had their totals after it; empty if `entry` is before `changesFrom`',
  stepFrom: 'State of the checkout that it starts from; absent if it is no step of the checkout',
  stepTo: 'State of the checkout that it leads to',
  stepOptional: 'Whether an order may go past it',
  machineTable: 'The table of its records, as in an export: `inventory_units`',
  snapshotPublish: 'Offer it to links: `/_backlot/begin?snapshot=before-payment`',
  tableWhere:
    'Values of fields that the records have, as text: `where[state]=cart`; `*` stands for any text: `where[email]=*ada*`',
  faultStep: 'Only this checkout step',
  faultParameters:
    'Parameters of path, query or body, compared as text: `{ "order_id": 3, "shippingAddress.country": 1 }`',
  filterRequest: 'Method and path: `PUT /api/checkouts/:order_id`, `/api/orders/*`, `DELETE`',
  filterStep: 'Checkout step',
  journalEndpoint: '`PUT /api/checkouts/:order_id`; absent if no endpoint was reached',
  parameterRequest: 'Method and path of an endpoint or a URL: `PUT /api/checkouts/:order_id`',
  parameterStep: 'Checkout step of the request',
  scenarioScript: 'Checkout script from `now` on; the first that matches applies',
  declined: 'The payment was declined, if the setting `declinedStatus` is 402',
} satisfies ApiDocuments['texts'];

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

import {
  OrderExplanationView,
  StateExplanationView,
  StockExplanationView,
} from '../office/explanation-view.ts';
import { parseId } from '../../engine/lib/names.ts';
import { integer } from '../../engine/rest/field.ts';
import { form } from '../../engine/rest/form.ts';
import { endpoint } from './endpoint.ts';

export const explainEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/orders/:order_id/why',
    operationId: 'explainOrder',
    summary:
      'Explain the total of an order: its lines, and every promotion, applied or not, with the facts that decided it',
    query: form({
      at: integer({ min: 0 })
        .optional()
        .describe('The entry of the history after which it had the total (default: the present)'),
    }),
    answer: OrderExplanationView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/orders/119/why' },
    handle: ({ office, params, query: { at } }) =>
      office().explain.order(parseId('order', params.order_id), at),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/stock/:variant_id/why',
    operationId: 'explainStock',
    summary: 'Explain the stock of a variant: the orders that hold it, and what moved it',
    answer: StockExplanationView,
    handle: ({ office, params }) => office().explain.stock(parseId('variant', params.variant_id)),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/transitions/:machine/:id/why',
    operationId: 'explainState',
    summary:
      'Explain the state of a record: the way there, what each move followed from, and what is possible next',
    answer: StateExplanationView,
    example: { url: '/_backlot/transitions/order/1/why' },
    handle: ({ office, params }) =>
      office().explain.state(params.machine, parseId(params.machine, params.id)),
  }),
];

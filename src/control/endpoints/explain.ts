import * as z from 'zod';
import { parseId } from '../../lib/names.ts';
import { endpoint } from '../endpoint.ts';

const RecordView = z.strictObject({
  table: z.string().describe('Name of its table, as in an export'),
  id: z.int(),
});

const FactView = z.strictObject({
  wanted: z.string().describe('The condition: `items over 300.00`'),
  actual: z.string().describe('What was there: `163.90`'),
  met: z.boolean(),
  record: RecordView.optional().describe('The record that decided it'),
});

const LineView = z.strictObject({
  kind: z
    .enum(['item', 'gift', 'tax', 'shipping', 'promotion', 'adjustment', 'limit', 'other'])
    .describe(
      '`limit`: what a total below 0 lacks; `other`: what its parts do not explain, such as a total that a scenario states',
    ),
  label: z.string(),
  detail: z.string().optional().describe('How the amount was calculated: `2 × 24.90`'),
  amount: z.int().describe('Minor units, negative for discounts'),
  counts: z.boolean().describe('Whether it is part of the total; a tax that prices include is not'),
  running: z.int().describe('Sum of this line and of those before it that count'),
  applied: z.boolean().describe('Whether the order has it; if not, one of its facts is not met'),
  promotion: z.int().optional().describe('Id of the promotion that it comes from'),
  record: RecordView.optional(),
  because: z.array(FactView).readonly(),
});

const totalLines = {
  total: z.int().describe('Minor units'),
  lines: z.array(LineView).readonly().describe('Those that count sum to the total'),
};

export const OrderExplanationView = z.strictObject({
  order: z.int(),
  state: z.string(),
  currency: z.string(),
  ...totalLines,
  now: z
    .strictObject({
      ...totalLines,
      changes: z
        .array(
          z.strictObject({
            kind: LineView.shape.kind,
            label: z.string(),
            was: z.int().optional().describe('The stored amount; absent if it has no such line'),
            now: z.int().optional().describe('The amount now; absent if it has no such line'),
            because: z.array(FactView).readonly(),
          }),
        )
        .readonly(),
    })
    .optional()
    .describe('The lines if the order was calculated now; absent if they are the same'),
});

export const explainEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/orders/:order_id/why',
    operationId: 'explainOrder',
    summary:
      'Explain the total of an order: its lines, and every promotion, applied or not, with the facts that decided it',
    status: 200,
    answer: OrderExplanationView,
    errors: ['missing'],
    example: { url: '/_backlot/orders/119/why' },
    handle: ({ office, params }) => office().explain.order(parseId('order', params.order_id)),
  }),
];

import * as z from 'zod';
import {
  ChangesFrom,
  entryExplanationView,
  FactView as AnyFactView,
  RecordView,
  stateExplanationView,
} from '../../engine/definition/explanation-view.ts';

/** A condition, with what meets it. */
export const FactView = AnyFactView.extend({
  coupon: z
    .string()
    .optional()
    .describe('If it is not met: the code of a coupon that the order can have, so that it is'),
});

/** A part of the total of an order, or a promotion that does not apply to it. */
export const LineView = z.strictObject({
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

const OrderUnits = { order: z.int(), units: z.int() };

const amounts = {
  on_hand: z.int().describe('Pieces on hand, those on hold included'),
  on_hold: z.int(),
};

export const StockExplanationView = z.strictObject({
  variant: z.int(),
  label: z.string(),
  changesFrom: ChangesFrom,
  lines: z
    .array(
      z.strictObject({
        stock_location: z.int(),
        label: z.string(),
        enabled: z.boolean().describe('Whether it can be sold from there'),
        ...amounts,
        held: z
          .array(z.strictObject(OrderUnits))
          .readonly()
          .describe('The orders that its pieces on hold are for'),
        began: z.strictObject(amounts).describe('Before the entry `changesFrom`'),
        moves: z
          .array(
            z.strictObject({
              entry: z.int().describe('Id of the entry of the history that made it'),
              at: z.string(),
              title: z.string(),
              on_hand: z.int().describe('Added, or taken away if negative'),
              on_hold: z.int(),
              units: z
                .array(z.strictObject({ ...OrderUnits, transition: z.string() }))
                .readonly()
                .describe('The units of orders that moved with it; none if the stock was set'),
            }),
          )
          .readonly(),
      }),
    )
    .readonly()
    .describe('One for each location: where it began and its moves sum to what is there'),
  backordered: z.array(z.strictObject(OrderUnits)).readonly(),
});

export const StateExplanationView = stateExplanationView(FactView);

export const EntryExplanationView = entryExplanationView(FactView, OrderExplanationView);

import * as z from 'zod';

const RecordView = z.strictObject({
  table: z.string().describe('Name of its table, as in an export'),
  id: z.int(),
});

const FactView = z.strictObject({
  wanted: z.string().describe('The condition: `items over 300.00`'),
  actual: z.string().describe('What was there: `163.90`'),
  met: z.boolean(),
  record: RecordView.optional().describe('The record that decided it'),
  at: z.string().optional().describe('If it is not met: a date-time at which it is'),
  coupon: z
    .string()
    .optional()
    .describe('If it is not met: the code of a coupon that the order can have, so that it is'),
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

const OrderUnits = { order: z.int(), units: z.int() };

const amounts = {
  on_hand: z.int().describe('Pieces on hand, those on hold included'),
  on_hold: z.int(),
};

export const StockExplanationView = z.strictObject({
  variant: z.int(),
  label: z.string(),
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
        began: z.strictObject(amounts).describe('Before the first move that the history has'),
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

export const StateExplanationView = z.strictObject({
  machine: z.string(),
  id: z.int(),
  state: z.string(),
  moves: z
    .array(
      z.strictObject({
        from: z.string().optional(),
        to: z.string(),
        transition: z.string().optional().describe('Absent if the state was set otherwise'),
        entry: z.int().describe('Id of the entry of the history that made it'),
        at: z.string(),
        by: z.string().describe('`request`, `page`, `clock`, `restore` or `reset`'),
        title: z.string(),
        after: z
          .array(
            z.strictObject({
              machine: z.string(),
              to: z.string(),
              transition: z.string().optional(),
              ids: z.array(z.int()).readonly().describe('At most 20'),
            }),
          )
          .readonly()
          .describe('The moves before it in the same entry, from which it followed'),
        because: z.array(FactView).readonly().describe('Why the clock made it'),
      }),
    )
    .readonly()
    .describe('The way to the state, as far as the history knows it'),
  next: z
    .array(
      z.strictObject({
        transition: z.string(),
        to: z.string(),
        possible: z.boolean(),
        reason: z.string().optional(),
      }),
    )
    .readonly(),
});

const TriedRules = z
  .array(
    z.strictObject({
      rule: z.int(),
      applied: z.boolean(),
      because: z
        .array(FactView)
        .readonly()
        .describe('The first condition that was not met, or all of a rule that applied'),
    }),
  )
  .readonly();

export const EntryExplanationView = z.strictObject({
  entry: z.int(),
  title: z.string(),
  outcome: z.string(),
  reason: z.string().optional(),
  refused: z
    .array(
      z.strictObject({
        path: z.array(z.string()).readonly().describe('Empty for the request as a whole'),
        message: z.string(),
        sent: z.unknown().optional().describe('Absent if it was not sent'),
        rule: z.string().describe('`required`, `at least 2 characters`, `unique`'),
        accepts: z.string().describe('In words: `an e-mail address`'),
        example: z
          .unknown()
          .optional()
          .describe('A value that is accepted in its place; without it and `omit`, no value is'),
        omit: z.literal(true).optional().describe('It is accepted if it is left out'),
        spec: z.string().describe('The place in the OpenAPI document'),
      }),
    )
    .readonly()
    .describe('Each refused field, and what is accepted in its place, by the data of now'),
  faults: TriedRules.describe('The faults of then, and why each applied or not'),
  script: TriedRules.describe('The rules of the script of then, and why each applied or not'),
  orders: z
    .array(OrderExplanationView)
    .readonly()
    .describe('Why the orders that it changed, at most 20, had their totals after it'),
});

import * as z from 'zod';
import { isDuration } from '../lib/duration.ts';

/** More orders than anyone will wait for. */
const mostOrders = 1_000_000;

/** Customers and orders that are made up from the seed and the scenario's own catalogue. */
export const Generation = z.strictObject({
  orders: z
    .int()
    .min(0)
    .max(mostOrders)
    .describe('How many orders, carts included, beside those that are taken through the checkout'),
  users: z
    .int()
    .min(0)
    .max(mostOrders)
    .optional()
    .describe(
      'How many new customers place them: one for every eight orders if not given; 0 leaves it to those there are',
    ),
  since: z
    .string()
    .refine(isDuration, 'expected an ISO 8601 duration such as P2Y')
    .refine((text) => !text.startsWith('-'), 'expected a duration without a minus')
    .default('P2Y')
    .describe('How long before `now` the first of them was placed'),
});
export type Generation = z.output<typeof Generation>;

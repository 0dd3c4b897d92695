import * as z from 'zod';
import { Timestamp } from '../models/fields.ts';

const Headers = z.record(z.string(), z.string());
const WhyLeftOut = z.string().optional().describe('Why there is no body here');

/** One request and its answer, without any secret. */
export const JournalEntry = z.strictObject({
  id: z.int().positive(),
  at: Timestamp.describe('By the clock of the back office'),
  session: z.string().optional(),
  method: z.string(),
  url: z.string().describe('Path and query'),
  endpoint: z.string().optional().describe('`PUT /api/checkouts/:order_id`; none was reached'),
  step: z.string().optional().describe('The step of the checkout'),
  request: z.strictObject({
    headers: Headers,
    query: z.record(z.string(), z.unknown()),
    body: z.record(z.string(), z.unknown()).optional(),
    left_out: WhyLeftOut,
  }),
  answer: z.strictObject({
    status: z.int().describe('0 where the connection was dropped'),
    headers: Headers,
    body: z.unknown().optional().describe('As JSON; as text where it is none'),
    left_out: WhyLeftOut,
    delay: z.int().optional().describe('How long it was kept waiting, in milliseconds'),
    connection: z.literal('drop').optional(),
  }),
  faults: z.array(z.int()).describe('The faults that acted, by their ids'),
  script: z.array(z.int()).describe('The rules of the script that acted, by their ids'),
  prefer: z.string().optional().describe('What of the header `Prefer` was heeded'),
});
export type JournalEntry = z.output<typeof JournalEntry>;

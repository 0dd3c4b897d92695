import * as z from 'zod';

/** Settings of requests: units, parameters and limits. */
export const RestSettings = z.strictObject({
  requestMoney: z
    .enum(['minor', 'major'])
    .default('minor')
    .describe(
      'Unit of `unitPrice` and `price` in requests: `minor` leaves them unchanged, `major` multiplies them by 100',
    ),
  unknownParameters: z
    .enum(['reject', 'ignore'])
    .default('reject')
    .describe('Unknown parameters: `reject` responds with 400, `ignore` ignores them'),
  maxLimit: z.int().min(1).default(1000).describe('Maximum page `limit`; larger values are capped'),
  maxBodyBytes: z
    .int()
    .min(0)
    .default(1_048_576)
    .describe('Maximum request body in bytes; larger bodies are rejected with 413'),
});
export type RestSettings = z.output<typeof RestSettings>;

import * as z from 'zod';

/** How the interface is spoken, where deployments differ. */
export const RestSettings = z.strictObject({
  requestMoney: z
    .enum(['minor', 'major'])
    .default('minor')
    .describe(
      'The unit of `unitPrice` and `price` in requests: `minor` takes them as they are, `major` times 100',
    ),
  unknownParameters: z
    .enum(['reject', 'ignore'])
    .default('reject')
    .describe(
      'A parameter that an endpoint does not know: `reject` answers 400, `ignore` passes it over',
    ),
  maxLimit: z
    .int()
    .min(1)
    .default(1000)
    .describe('The largest `limit` of a page; a larger one is cut to it'),
  maxBodyBytes: z
    .int()
    .min(0)
    .default(1_048_576)
    .describe('The largest body of a request, in bytes; a larger one answers 413'),
});
export type RestSettings = z.output<typeof RestSettings>;

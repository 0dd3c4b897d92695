import * as z from 'zod';

/** What is shown, where deployments differ. */
export const ResourceSettings = z.strictObject({
  auth: z
    .enum(['none', 'oauth2'])
    .default('none')
    .describe(
      'Whether every path under `/api` requires a token: `oauth2` requires one of `/oauth/v2/token`, which issues tokens either way',
    ),
  listCarts: z
    .boolean()
    .default(false)
    .describe(
      'Whether `GET /api/orders/` lists orders that are still carts; a single read finds them either way',
    ),
  declinedStatus: z
    .union([z.literal(200), z.literal(402)])
    .default(200)
    .describe('The status of a purchase that is declined; the body is the full order either way'),
});
export type ResourceSettings = z.output<typeof ResourceSettings>;

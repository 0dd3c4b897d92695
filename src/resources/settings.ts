import * as z from 'zod';

/** Settings of authentication and responses. */
export const ResourceSettings = z.strictObject({
  auth: z
    .enum(['none', 'oauth2'])
    .default('none')
    .describe(
      'Authentication under `/api`: `oauth2` requires a token from `/oauth/v2/token`, which issues tokens either way',
    ),
  listCarts: z
    .boolean()
    .default(false)
    .describe('Whether `GET /api/orders/` includes carts; a single cart can be read either way'),
  declinedStatus: z
    .union([z.literal(200), z.literal(402)])
    .default(200)
    .describe('Status of a declined purchase; the body is the full order either way'),
});
export type ResourceSettings = z.output<typeof ResourceSettings>;

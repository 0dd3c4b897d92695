import * as z from 'zod';
import { Id, stamps } from './fields.ts';
import type { RowOf } from '../store/row.ts';
import { defineTable } from '../store/table-definition.ts';

export const ChannelType = z.enum(['web', 'mobile']);

export const Channel = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  type: ChannelType,
  color: z.string().describe('Its colour in the back office'),
  enabled: z.boolean(),
  currencies: z.array(Id),
  locales: z.array(Id),
  payment_methods: z.array(Id),
  shipping_methods: z.array(Id),
  ...stamps,
});
export type Channel = RowOf<typeof Channel>;

export const channels = defineTable({
  name: 'channels',
  singular: 'channel',
  schema: Channel,
  references: {
    currencies: 'currencies',
    locales: 'locales',
    payment_methods: 'paymentMethods',
    shipping_methods: 'shippingMethods',
  },
  unique: { code: (row) => row.code },
  softDelete: true,
});

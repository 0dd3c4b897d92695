import * as z from 'zod';
import { Timestamp } from '../models/fields.ts';
import type { PaymentMethod } from '../models/payment-method.ts';
import { Link } from '../rest/page.ts';
import { to } from './href.ts';
import { remembering } from './remembering.ts';

export const PaymentMethodView = z.strictObject({
  id: z.int(),
  name: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  _links: z.strictObject({ self: Link }),
});
export type PaymentMethodView = z.output<typeof PaymentMethodView>;

const rememberPaymentMethod = remembering<PaymentMethodView>();

export function paymentMethodView(method: PaymentMethod): PaymentMethodView {
  return rememberPaymentMethod(method, [], () => ({
    id: method.id,
    name: method.name,
    created_at: method.created_at,
    updated_at: method.updated_at,
    _links: { self: to.paymentMethod(method.id) },
  }));
}

import type { Answered, Call } from './office.ts';
import { sentAddress } from './small-shop.ts';

export const addressed = { shippingAddress: sentAddress };
export const shipped = { shipments: { 0: { method: 1 } } };
export const paidBy = { paymentMethod: 1 };

/** Submits a step of an order. */
export function put(call: Call, id: number, body?: unknown): Promise<Answered> {
  return call(`PUT /api/checkouts/${id}`, body);
}

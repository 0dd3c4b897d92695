import * as z from 'zod';
import { proposePayment } from '../checkout/payment.ts';
import { proposeShipping } from '../checkout/shipping.ts';
import { assertStep, nextStep } from '../checkout/step.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import type { Order } from '../models/order.ts';
import { Link } from '../../engine/rest/page.ts';
import { type Shop, linkTo, defineView, views } from './endpoint.ts';
import { orderInCheckoutView, type OrderInCheckoutView } from './order.ts';
import { PaymentMethodView, paymentMethodView } from './payment.ts';
import { ShippingMethodView, shippingMethodView } from './shipment.ts';

const OrderLink = z.strictObject({ order: Link });

/** One element per shipment of the order. */
export const ShippingProposalView = z
  .array(
    z.strictObject({
      methods: z.array(ShippingMethodView),
      shipment: z.strictObject({
        state: z.literal('checkout'),
        created_at: Timestamp,
        _links: OrderLink,
      }),
    }),
  )
  .register(views, { id: 'ShippingProposal' });
export type ShippingProposalView = z.output<typeof ShippingProposalView>;

/** Payment methods by id, and the payment to be created. */
export const PaymentProposalView = defineView('PaymentProposal', () => ({
  methods: z.record(z.string(), PaymentMethodView),
  payment: z.strictObject({
    amount: z.int(),
    currency: z.string(),
    state: z.literal('new'),
    created_at: Timestamp,
    _links: OrderLink,
  }),
}));
export type PaymentProposalView = z.output<typeof PaymentProposalView>;

type ProposalView = ShippingProposalView | PaymentProposalView;

/** The choices of each step that has any. */
const proposals: Readonly<Partial<Record<string, (shop: Shop, order: Order) => ProposalView>>> = {
  addressing(_, { id }) {
    throw new Problem(
      'not allowed',
      `There is nothing to choose from yet: order ${id} awaits addressing, PUT the shipping address first.`,
      { headers: { allow: 'PUT, OPTIONS' } },
    );
  },
  shipping: (shop, order) =>
    proposeShipping(shop, order).map(({ shipment: { state, created_at }, methods }) => ({
      methods: methods.map(shippingMethodView),
      shipment: { state, created_at, _links: { order: linkTo('orders', order.id) } },
    })),
  payment(shop, order) {
    const { methods, payment } = proposePayment(shop, order);
    const byId = methods.map((method) => [String(method.id), paymentMethodView(method)] as const);
    const _links = { order: linkTo('orders', order.id) };
    return { methods: Object.fromEntries(byId), payment: { ...payment, _links } };
  },
};

/**
 * Returns the choices of an order's next step, or the order if that step has none.
 *
 * @throws Problem `refused` for an abandoned cart
 */
export function proposalView(shop: Shop, order: Order): ProposalView | OrderInCheckoutView {
  const step = nextStep(shop, order);
  const propose = proposals[step ?? ''];
  if (step === undefined || propose === undefined) return orderInCheckoutView(shop.db, order);
  assertStep(shop, order, step);
  return propose(shop, order);
}

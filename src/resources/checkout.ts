import * as z from 'zod';
import { submitAddressing } from '../checkout/addressing.ts';
import { expiryYearRange, isCardNumber } from '../checkout/card.ts';
import { submitConfirm } from '../checkout/confirm.ts';
import { proposePayment, submitPayment } from '../checkout/payment.ts';
import { submitPurchase } from '../checkout/purchase.ts';
import { proposeShipping, submitShipping } from '../checkout/shipping.ts';
import { assertStep } from '../checkout/steps.ts';
import { Timestamp } from '../models/fields.ts';
import type { Order } from '../models/order.ts';
import { Problem } from '../lib/problem.ts';
import { anyText, integer, reference, blankMessage } from '../rest/field.ts';
import { form, notValid } from '../rest/form.ts';
import { Link } from '../rest/page.ts';
import { AddressBlock, addressFields, placeIssues } from './address.ts';
import { endpoint, findOrThrow, type Shop } from './endpoint.ts';
import { orderInCheckoutView, OrderInCheckoutView } from './order.ts';
import { PaymentMethodView, paymentMethodView } from './payment-method.ts';
import { ShippingMethodView, shippingMethodView } from './shipping-method.ts';
import { linkTo, views } from './view.ts';

const OrderLink = z.strictObject({ order: Link });

/** One element for each shipment that there will be. */
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

/** The methods by their id, and the payment that one of them would make. */
export const PaymentProposalView = z
  .strictObject({
    methods: z.record(z.string(), PaymentMethodView),
    payment: z.strictObject({
      amount: z.int(),
      currency: z.string(),
      state: z.literal('new'),
      created_at: Timestamp,
      _links: OrderLink,
    }),
  })
  .register(views, { id: 'PaymentProposal' });
export type PaymentProposalView = z.output<typeof PaymentProposalView>;

const path = '/api/checkouts/:order_id';

const cardForm = form({
  type: anyText(),
  cardholderName: anyText({ min: 4 }),
  number: anyText().refine(isCardNumber, 'The credit card number you entered is invalid.'),
  securityCode: anyText().regex(/^\d{3,4}$/, notValid),
  expiryMonth: integer({ min: 1 }).max(12, notValid),
  expiryYear: integer(),
});

export const checkoutEndpoints = [
  endpoint({
    method: 'GET',
    path,
    summary: 'Read what the next step can choose from; the order once there is nothing to choose',
    status: 200,
    answer: z.union([ShippingProposalView, PaymentProposalView, OrderInCheckoutView]),
    errors: ['missing', 'refused', 'not allowed'],
    example: { url: '/api/checkouts/112' },
    subject: ({ shop, params }) => findOrThrow(shop.db.orders, params.order_id),
    handle: ({ shop, subject }) => proposal(shop, subject),
  }),
  endpoint({
    method: 'PUT',
    path,
    summary: 'Addressing: where it goes, and who pays',
    step: 'addressing',
    chosenBy: ['shippingAddress', 'billingAddress'],
    body: form({
      shippingAddress: AddressBlock,
      billingAddress: AddressBlock.optional(),
    }),
    status: 200,
    answer: OrderInCheckoutView,
    errors: ['missing', 'refused', 'invalid'],
    example: {
      url: '/api/checkouts/107',
      body: {
        shippingAddress: {
          firstName: 'Ada',
          lastName: 'Novak',
          street: 'Long Lane 4',
          city: 'Bristol',
          postcode: 'BS1 4ST',
          country: 1,
        },
      },
    },
    subject: ({ shop, params }) => orderAt(shop, params.order_id, 'addressing'),
    check: ({ shop: { db }, body }) => [
      ...placeIssues(db, body.shippingAddress, 'shippingAddress'),
      ...placeIssues(db, body.billingAddress, 'billingAddress'),
    ],
    handle({ shop, subject, body: { shippingAddress, billingAddress } }) {
      const order = submitAddressing(shop, subject, {
        shipping: addressFields(shippingAddress),
        ...(billingAddress !== undefined && { billing: addressFields(billingAddress) }),
      });
      return orderInCheckoutView(shop.db, order);
    },
  }),
  endpoint({
    method: 'PUT',
    path,
    summary: 'Shipping: a method for each shipment',
    step: 'shipping',
    chosenBy: ['shipments'],
    body: form({
      shipments: z.record(
        z.string(),
        z.object({ method: reference('Please select shipping method.') }, { error: notValid }),
        { error: blankMessage('Please select shipping method.') },
      ),
    }),
    status: 200,
    answer: OrderInCheckoutView,
    errors: ['missing', 'refused', 'invalid'],
    example: { url: '/api/checkouts/112', body: { shipments: { 0: { method: 6 } } } },
    subject: ({ shop, params }) => orderAt(shop, params.order_id, 'shipping'),
    check: ({ body }) =>
      Object.keys(body.shipments ?? {})
        .filter((position) => !/^\d{1,4}$/.test(position))
        .map((position) => ({ path: ['shipments', position], message: notValid })),
    handle({ shop, subject, body }) {
      const methods = new Map(
        Object.entries(body.shipments).map(([position, { method }]) => [Number(position), method]),
      );
      return orderInCheckoutView(shop.db, submitShipping(shop, subject, methods));
    },
  }),
  endpoint({
    method: 'PUT',
    path,
    summary: 'Payment: a method',
    step: 'payment',
    chosenBy: ['paymentMethod'],
    body: form({ paymentMethod: reference() }),
    status: 200,
    answer: OrderInCheckoutView,
    errors: ['missing', 'refused', 'invalid'],
    example: { url: '/api/checkouts/109', body: { paymentMethod: 1 } },
    subject: ({ shop, params }) => orderAt(shop, params.order_id, 'payment'),
    handle: ({ shop, subject, body }) =>
      orderInCheckoutView(shop.db, submitPayment(shop, subject, body.paymentMethod)),
  }),
  endpoint({
    method: 'PUT',
    path,
    summary: 'Purchase: pay by card',
    step: 'purchase',
    chosenBy: ['type', 'cardholderName', 'number', 'securityCode', 'expiryMonth', 'expiryYear'],
    body: cardForm,
    status: 200,
    answer: OrderInCheckoutView,
    errors: ['missing', 'refused', 'invalid', 'declined'],
    example: {
      url: '/api/checkouts/88',
      body: {
        type: 'visa',
        cardholderName: 'Ada Novak',
        number: '4242424242424242',
        securityCode: '123',
        expiryMonth: 12,
        expiryYear: 2030,
      },
    },
    subject: ({ shop, params }) => orderAt(shop, params.order_id, 'purchase'),
    check({ shop, body: { expiryYear } }) {
      const { from, to: last } = expiryYearRange(shop.clock.now());
      return expiryYear !== undefined && (expiryYear < from || expiryYear > last)
        ? [{ path: ['expiryYear'], message: notValid }]
        : [];
    },
    handle: ({ shop, subject, body }) =>
      orderInCheckoutView(shop.db, submitPurchase(shop, subject, body)),
    statusFor: ({ shop, subject }) =>
      lastPayment(shop, subject)?.state === 'failed' ? shop.settings.declinedStatus : undefined,
  }),
  endpoint({
    method: 'PUT',
    path,
    summary: 'Finalize: confirm the order, without any parameter',
    step: 'confirm',
    status: 200,
    answer: OrderInCheckoutView,
    errors: ['missing', 'refused', 'invalid'],
    example: { url: '/api/checkouts/111' },
    subject: ({ shop, params }) => orderAt(shop, params.order_id, 'confirm'),
    handle: ({ shop, subject }) => orderInCheckoutView(shop.db, submitConfirm(shop, subject)),
  }),
] as const;

/** The order that a step is taken on, if it is that step's turn. */
function orderAt(shop: Shop, id: string, step: Parameters<typeof assertStep>[2]): Order {
  const order = findOrThrow(shop.db.orders, id);
  assertStep(shop, order, step);
  return order;
}

function lastPayment(shop: Shop, order: Order) {
  return shop.db.payments.by('order', order.id).at(-1);
}

/** @throws Problem `refused` for a cart that was given up: it has nothing to choose any more */
function proposal(
  shop: Shop,
  order: Order,
): ShippingProposalView | PaymentProposalView | OrderInCheckoutView {
  const _links = { order: linkTo('orders', order.id) };
  switch (order.checkout_state) {
    case 'cart':
      assertStep(shop, order, 'addressing');
      throw new Problem(
        'not allowed',
        `There is nothing to choose from yet: order ${order.id} awaits addressing, PUT the shipping address first.`,
        { headers: { allow: 'PUT, OPTIONS' } },
      );
    case 'addressing':
      assertStep(shop, order, 'shipping');
      return proposeShipping(shop, order).map(({ shipment, methods }) => ({
        methods: methods.map(shippingMethodView),
        shipment: { state: shipment.state, created_at: shipment.created_at, _links },
      }));
    case 'shipping': {
      assertStep(shop, order, 'payment');
      const { methods, payment } = proposePayment(shop, order);
      return {
        methods: Object.fromEntries(
          methods.map((method) => [String(method.id), paymentMethodView(method)]),
        ),
        payment: { ...payment, _links },
      };
    }
    case 'payment':
    case 'finalize':
    case 'completed':
      return orderInCheckoutView(shop.db, order);
  }
}

import * as z from 'zod';
import { expiryYearRange } from '../checkout/payment.ts';
import { isCardNumber } from '../../engine/lib/card-number.ts';
import { assertStep } from '../checkout/step.ts';
import { submitStep, type StepInputs } from '../checkout/steps.ts';
import { refusedProblem, truncate } from '../../engine/lib/problem.ts';
import type { Order, StepName } from '../models/order.ts';
import { anyText, integer, reference, blankMessage } from '../../engine/rest/field.ts';
import { form, notValid } from '../../engine/rest/form.ts';
import { AddressBlock, addressBlock, addressFields, placeIssues } from './address.ts';
import { PaymentProposalView, proposalView, ShippingProposalView } from './checkout-proposal.ts';
import { findOrThrow } from '../../engine/definition/records.ts';
import { endpoint, type Shop } from './endpoint.ts';
import { orderInCheckoutView, OrderInCheckoutView } from './order.ts';

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
    summary: 'Read the choices of the next step, or the order if it has none',
    status: 200,
    answer: z.union([ShippingProposalView, PaymentProposalView, OrderInCheckoutView]),
    errors: ['missing', 'refused', 'not allowed'],
    example: { url: '/api/checkouts/112' },
    subject: ({ shop, params }) => findOrThrow(shop.db.orders, params.order_id),
    handle: ({ shop, subject }) => proposalView(shop, subject),
  }),
  endpoint({
    method: 'PUT',
    path,
    operationId: 'submitCheckoutStep',
    summary: 'Addressing: set the shipping and billing addresses',
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
      const order = submitStep(shop, subject, 'addressing', {
        shipping: addressFields(shippingAddress),
        ...(billingAddress !== undefined && { billing: addressFields(billingAddress) }),
      });
      return orderInCheckoutView(shop.db, order);
    },
  }),
  endpoint({
    method: 'PUT',
    path,
    operationId: 'submitCheckoutStep',
    summary: 'Shipping: choose a method for each shipment',
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
      return orderInCheckoutView(shop.db, submitStep(shop, subject, 'shipping', methods));
    },
  }),
  endpoint({
    method: 'PUT',
    path,
    operationId: 'submitCheckoutStep',
    summary: 'Payment: choose a method',
    step: 'payment',
    chosenBy: ['paymentMethod'],
    body: form({ paymentMethod: reference() }),
    status: 200,
    answer: OrderInCheckoutView,
    errors: ['missing', 'refused', 'invalid'],
    example: { url: '/api/checkouts/109', body: { paymentMethod: 1 } },
    subject: ({ shop, params }) => orderAt(shop, params.order_id, 'payment'),
    handle: ({ shop, subject, body }) =>
      orderInCheckoutView(shop.db, submitStep(shop, subject, 'payment', body.paymentMethod)),
  }),
  endpoint({
    method: 'PUT',
    path,
    operationId: 'submitCheckoutStep',
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
      const { from, to } = expiryYearRange(shop.clock.now());
      return expiryYear !== undefined && (expiryYear < from || expiryYear > to)
        ? [{ path: ['expiryYear'], message: notValid }]
        : [];
    },
    handle: ({ shop, subject, body }) =>
      orderInCheckoutView(shop.db, submitStep(shop, subject, 'purchase', body)),
    statusFor: ({ shop, subject }) =>
      lastPayment(shop, subject)?.state === 'failed' ? shop.settings.declinedStatus : undefined,
  }),
  endpoint({
    method: 'PUT',
    path,
    operationId: 'submitCheckoutStep',
    summary: 'Finalize: confirm the order, without parameters',
    step: 'confirm',
    status: 200,
    answer: OrderInCheckoutView,
    errors: ['missing', 'refused', 'invalid'],
    example: { url: '/api/checkouts/111' },
    subject: ({ shop, params }) => orderAt(shop, params.order_id, 'confirm'),
    handle({ shop, subject, sent }) {
      assertNothingSent(subject, sent);
      return orderInCheckoutView(shop.db, submitStep(shop, subject, 'confirm', undefined));
    },
  }),
] as const;

/** @throws Problem `missing`, or `refused` if the step is not the order's next one */
export function orderAt(shop: Shop, id: string, step: string): Order {
  const order = findOrThrow(shop.db.orders, id);
  assertStep(shop, order, step);
  return order;
}

/**
 * Asserts that a request to confirm an order has no parameters. With the setting `unknownParameters: ignore`, a client
 * that misspells those of another step would confirm it.
 *
 * @throws Problem `refused` with the names that were sent
 */
function assertNothingSent({ id }: Order, sent: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(sent);
  if (names.length === 0) return;
  throw refusedProblem(
    `Unknown parameters: ${truncate(names.join(', '))}. Order ${id} awaits confirm: send an empty body to confirm it.`,
  );
}

function lastPayment(shop: Shop, order: Order) {
  return shop.db.payments.by('order', order.id).at(-1);
}

/** The request body of a step. */
export type StepBody =
  | { readonly shippingAddress: AddressBlock; readonly billingAddress?: AddressBlock }
  | { readonly shipments: Readonly<Record<string, { readonly method: number }>> }
  | { readonly paymentMethod: number }
  | StepInputs['purchase']
  | undefined;

/** Converts a customer's input at a step to the request body. */
export function stepBody<Name extends string>(step: Name, input: StepInputs[Name]): StepBody {
  const convert = (bodies as Readonly<Record<string, (input: unknown) => StepBody>>)[step];
  return convert === undefined ? (input as StepBody) : convert(input);
}

const bodies: { readonly [Name in StepName]: (input: StepInputs[Name]) => StepBody } = {
  addressing: ({ shipping, billing }) => ({
    shippingAddress: addressBlock(shipping),
    ...(billing !== undefined && { billingAddress: addressBlock(billing) }),
  }),
  shipping: (methods) => ({
    shipments: Object.fromEntries(Array.from(methods, ([at, method]) => [String(at), { method }])),
  }),
  payment: (paymentMethod) => ({ paymentMethod }),
  confirm: () => undefined,
  purchase: (card) => card,
};

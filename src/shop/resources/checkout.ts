import * as z from 'zod';
import { addressingStep, type Addresses } from '../checkout/addressing.ts';
import {
  approvedCard,
  type Card,
  confirmStep,
  expiryYearRange,
  paymentStep,
  purchaseStep,
} from '../checkout/payment.ts';
import { shippingStep } from '../checkout/shipping.ts';
import { isCardNumber } from '../../engine/lib/card-number.ts';
import { isObject } from '../../engine/lib/json-value.ts';
import type { Shop as CheckoutShop } from '../checkout/shop.ts';
import { assertStep, type Step } from '../checkout/step.ts';
import { submitStep } from '../checkout/steps.ts';
import { refusedProblem, truncate } from '../../engine/lib/problem.ts';
import { checkoutSteps as rows, type Order, type StepName } from '../models/order.ts';
import { anyText, integer, reference, blankMessage } from '../../engine/rest/field.ts';
import type { Endpoint } from '../../engine/rest/endpoint.ts';
import { form, notValid } from '../../engine/rest/form.ts';
import { AddressBlock, addressBlock, addressFields, placeIssues } from './address.ts';
import { PaymentProposalView, proposalView, ShippingProposalView } from './checkout-proposal.ts';
import { findOrThrow } from '../../engine/definition/records.ts';
import { endpoint, type ShopContext } from './endpoint.ts';
import { orderInCheckoutView, OrderInCheckoutView } from './order.ts';

const path = '/api/checkouts/:order_id';

type StepEndpoint<Body> = Endpoint<
  ShopContext,
  typeof path,
  unknown,
  Body,
  Order,
  OrderInCheckoutView,
  'PUT'
>;

/** The request that submits a step of the checkout. */
interface StepRequest<Body>
  extends
    Pick<StepEndpoint<Body>, 'summary' | 'body' | 'example' | 'check' | 'statusFor'>,
    Partial<Pick<StepEndpoint<Body>, 'errors'>> {
  /** Converts the parameters to the input of the step. */
  input(call: Parameters<StepEndpoint<Body>['handle']>[0]): unknown;
}

/** Returns the endpoint of a step, which a parameter of its body chooses. */
export function stepEndpoint<Body>(name: string, request: StepRequest<Body>): StepEndpoint<Body> {
  const { body } = request;
  return {
    method: 'PUT',
    path,
    operationId: 'submitCheckoutStep',
    step: name,
    ...(body !== undefined && { chosenBy: Object.keys(body.children) }),
    status: 200,
    answer: OrderInCheckoutView,
    errors: ['missing', 'refused', 'invalid'],
    ...request,
    subject({ shop, params }) {
      const order = findOrThrow(shop.db.orders, params.order_id);
      assertStep(shop, order, name);
      return order;
    },
    handle(call) {
      const { shop, subject } = call;
      return orderInCheckoutView(shop.db, submitStep(shop, subject, name, request.input(call)));
    },
  };
}

/** A step of the store: its implementation, and the request that submits it. */
interface StoreStep<Input, Body> extends StepRequest<Body> {
  readonly implementation: Step<Input, unknown>;
  input(call: Parameters<StepEndpoint<Body>['handle']>[0]): Input;
  /** Converts an input to the parameters: the inverse of `input`. */
  bodyOf(input: Input): NoInfer<Body>;
}

/** The input of each step. */
export interface StepInputs {
  readonly addressing: Addresses;
  /** The method of each shipment, by its position from 0. */
  readonly shipping: ReadonlyMap<number, number>;
  /** The id of a payment method. */
  readonly payment: number;
  readonly confirm: undefined;
  readonly purchase: Card;
}

/** The endpoint of a step of the store. */
export interface StoreStepEndpoint<Name extends StepName, Body>
  extends
    StepEndpoint<Body>,
    Pick<StoreStep<StepInputs[Name], Body>, 'implementation' | 'input' | 'bodyOf'> {
  readonly step: Name;
}

/** Infers the types of a step, and makes it an endpoint. */
function stepOf<const Name extends StepName, Body>(
  step: Name,
  options: StoreStep<StepInputs[Name], Body>,
): StoreStepEndpoint<Name, Body> {
  return { ...options, ...stepEndpoint(step, options), step };
}

const steps = [
  stepOf('addressing', {
    implementation: addressingStep,
    summary: 'Addressing: set the shipping and billing addresses',
    body: form({
      shippingAddress: AddressBlock,
      billingAddress: AddressBlock.optional(),
    }),
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
    check: ({ shop: { db }, body }) => [
      ...placeIssues(db, body.shippingAddress, 'shippingAddress'),
      ...placeIssues(db, body.billingAddress, 'billingAddress'),
    ],
    input: ({ body: { shippingAddress, billingAddress } }) => ({
      shipping: addressFields(shippingAddress),
      ...(billingAddress !== undefined && { billing: addressFields(billingAddress) }),
    }),
    bodyOf: ({ shipping, billing }) => ({
      shippingAddress: addressBlock(shipping),
      ...(billing !== undefined && { billingAddress: addressBlock(billing) }),
    }),
  }),
  stepOf('shipping', {
    implementation: shippingStep,
    summary: 'Shipping: choose a method for each shipment',
    body: form({
      shipments: z.record(
        z.string(),
        z.object(
          { method: reference('shippingMethods', 'Please select shipping method.') },
          { error: notValid },
        ),
        { error: blankMessage('Please select shipping method.') },
      ),
    }),
    example: { url: '/api/checkouts/112', body: { shipments: { 0: { method: 6 } } } },
    check: ({ body }) =>
      Object.keys(body.shipments ?? {})
        .filter((position) => !/^\d{1,4}$/.test(position))
        .map((position) => ({ path: ['shipments', position], message: notValid })),
    input: ({ body }) =>
      new Map(
        Object.entries(body.shipments).map(([position, { method }]) => [Number(position), method]),
      ),
    bodyOf: (methods) => ({
      shipments: Object.fromEntries(
        Array.from(methods, ([at, method]) => [String(at), { method }]),
      ),
    }),
  }),
  stepOf('payment', {
    implementation: paymentStep,
    summary: 'Payment: choose a method',
    body: form({ paymentMethod: reference('paymentMethods') }),
    example: { url: '/api/checkouts/109', body: { paymentMethod: 1 } },
    input: ({ body }) => body.paymentMethod,
    bodyOf: (paymentMethod) => ({ paymentMethod }),
  }),
  stepOf('purchase', {
    implementation: purchaseStep,
    summary: 'Purchase: pay by card',
    body: form({
      type: anyText(),
      cardholderName: anyText({ min: 4 }),
      number: anyText().refine(isCardNumber, 'The credit card number you entered is invalid.'),
      securityCode: anyText().regex(/^\d{3,4}$/, notValid),
      expiryMonth: integer({ min: 1 }).max(12, notValid),
      expiryYear: integer(),
    }),
    errors: ['missing', 'refused', 'invalid', 'declined'],
    example: {
      url: '/api/checkouts/88',
      body: {
        type: 'visa',
        cardholderName: 'Ada Novak',
        number: approvedCard,
        securityCode: '123',
        expiryMonth: 12,
        expiryYear: 2030,
      },
    },
    check({ shop, body: { expiryYear } }) {
      const { from, to } = expiryYearRange(shop.clock.now());
      return expiryYear !== undefined && (expiryYear < from || expiryYear > to)
        ? [{ path: ['expiryYear'], message: notValid }]
        : [];
    },
    input: ({ body }) => body,
    bodyOf: (card) => card,
    statusFor: ({ shop, subject }) =>
      shop.db.payments.by('order', subject.id).at(-1)?.state === 'failed'
        ? shop.settings.declinedStatus
        : undefined,
  }),
  stepOf('confirm', {
    implementation: confirmStep,
    summary: 'Finalize: confirm the order, without parameters',
    example: { url: '/api/checkouts/111' },
    input: ({ subject, sent }) => assertNothingSent(subject, sent),
    bodyOf: () => undefined,
  }),
] as const;

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
  ...steps,
] as const;

/** The steps of the checkout in their order, with their implementations. */
export const checkoutSteps = rows.map((row) => ({
  ...row,
  implementation: steps.find(({ step }) => step === row.name)?.implementation,
}));

/** A customer's choices. A step without a choice gets its default input. */
export type Customer = {
  readonly [Name in StepName]?: (shop: CheckoutShop, order: Order) => StepInputs[Name];
};

/**
 * Asserts that a request to confirm an order has no parameters. With the setting `unknownParameters: ignore`, a client
 * that misspells those of another step would confirm it.
 *
 * @throws Problem `refused` with the names that were sent
 */
function assertNothingSent({ id }: Order, sent: Readonly<Record<string, unknown>>): undefined {
  const names = Object.keys(sent);
  if (names.length === 0) return;
  throw refusedProblem(
    `Unknown parameters: ${truncate(names.join(', '))}. Order ${id} awaits confirm: send an empty body to confirm it.`,
  );
}

type AnyStep = Pick<StoreStep<unknown, unknown>, 'bodyOf'>;

/** Converts a customer's input at a step to the request body. Those of added steps are the same. */
export function stepBody(name: string, input: unknown) {
  const known: AnyStep | undefined = steps.find(({ step }) => step === name);
  const body = known === undefined ? input : known.bodyOf(input);
  return isObject(body) ? body : undefined;
}

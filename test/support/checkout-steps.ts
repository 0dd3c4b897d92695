/** Valid parameters of an address to which the small shop and the built-in scenarios ship. */
export const address = {
  firstName: 'Ada',
  lastName: 'Novak',
  street: 'Long Lane 4',
  city: 'Galway',
  postcode: 'H91 AB1',
  country: 1,
};

/** A card that is approved. */
export const card = {
  type: 'visa',
  cardholderName: 'Ada Novak',
  number: '4242424242424242',
  securityCode: '123',
  expiryMonth: 12,
  expiryYear: 2030,
};

export const declinedCard = { ...card, number: '4000000000000002' };

/** The body of each step, in the order of the checkout. */
export const steps = {
  addressing: { shippingAddress: address },
  shipping: { shipments: { 0: { method: 1 } } },
  payment: { paymentMethod: 1 },
  confirm: undefined,
  purchase: card,
};
export type StepName = keyof typeof steps;
export const stepNames = Object.keys(steps) as StepName[];

type Headers = Readonly<Record<string, string>>;
type AnyCall<Answer> = (line: string, body?: unknown, headers?: Headers) => Answer;

/** The request line of each step of an order. */
export const checkoutOf = (order: number | string): string => `PUT /api/checkouts/${order}`;

/** Sends a body to the checkout of an order. */
export function put<Answer>(
  call: AnyCall<Answer>,
  order: number | string,
  body?: unknown,
  headers?: Headers,
): Answer {
  return call(checkoutOf(order), body, headers);
}

/**
 * Submits a step of an order.
 *
 * @param more parameters beside those of the step, or in their place
 */
export function submitStep<Answer>(
  call: AnyCall<Answer>,
  order: number | string,
  step: StepName,
  more?: object,
): Answer {
  return put(call, order, more === undefined ? steps[step] : { ...steps[step], ...more });
}

/** Returns a shipping address as fields of a form: `shippingAddress[city]`. */
export function formFields(parameters = address): [string, string][] {
  return Object.entries(parameters).map(([name, value]) => [
    `shippingAddress[${name}]`,
    `${value}`,
  ]);
}

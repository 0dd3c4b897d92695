import type { BodyOf } from 'backlot/client';

type Body = BodyOf<'PUT /api/checkouts/:order_id'>;
type Texts = Readonly<Record<string, string>>;

interface Step {
  readonly title: string;
  /** The labels of its fields, by the names that the API gives them in errors. */
  readonly fields: Texts;
  readonly bodyOf: (values: Texts) => Body;
}

/** The steps of the checkout, by the state in which they are taken. */
export const steps: Readonly<Record<string, Step>> = {
  cart: {
    title: 'Send to this address',
    fields: {
      'shippingAddress.firstName': 'First name',
      'shippingAddress.lastName': 'Last name',
      'shippingAddress.street': 'Street',
      'shippingAddress.postcode': 'Postcode',
      'shippingAddress.city': 'City',
      'shippingAddress.country': 'Country',
    },
    bodyOf: (values) => ({
      shippingAddress: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name.split('.')[1], value]),
      ) as never,
    }),
  },
  addressing: {
    title: 'Choose a delivery',
    fields: { 'shipments.0.method': 'Shipping method' },
    bodyOf: (values) => ({ shipments: { 0: { method: Number(values['shipments.0.method']) } } }),
  },
  shipping: {
    title: 'Choose a payment',
    fields: { paymentMethod: 'Payment method' },
    bodyOf: ({ paymentMethod }) => ({ paymentMethod: Number(paymentMethod) }),
  },
  payment: { title: 'Confirm the order', fields: {}, bodyOf: () => ({}) },
  finalize: {
    title: 'Pay by card',
    fields: {
      cardholderName: 'Name on the card',
      number: 'Number',
      securityCode: 'Security code',
      expiryMonth: 'Month',
      expiryYear: 'Year',
    },
    bodyOf: ({ expiryMonth, expiryYear, ...card }) =>
      ({
        type: 'visa',
        ...card,
        expiryMonth: Number(expiryMonth),
        expiryYear: Number(expiryYear),
      }) as Body,
  },
};

/** What a form has before it is filled in. */
export const proposed: Texts = {
  'shipments.0.method': '1',
  paymentMethod: '1',
  number: '4111111111111111',
  expiryMonth: '12',
  expiryYear: '2030',
};

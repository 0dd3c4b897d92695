import type { BodyOf } from 'backlot/client';

type Body = BodyOf<'PUT /api/checkouts/:order_id'>;

interface Step {
  readonly title: string;
  /** Each is named as the API names it in errors. */
  readonly fields: readonly {
    readonly name: string;
    readonly label: string;
    readonly value?: string;
  }[];
  readonly bodyOf: (values: Readonly<Record<string, string>>) => Body;
}

/** The steps of the checkout, by the state in which they are taken. */
export const steps: Readonly<Record<string, Step>> = {
  cart: {
    title: 'Send to this address',
    fields: Object.entries({
      firstName: 'First name',
      lastName: 'Last name',
      street: 'Street',
      postcode: 'Postcode',
      city: 'City',
      country: 'Country',
    }).map(([name, label]) => ({ name: `shippingAddress.${name}`, label })),
    bodyOf: (values) => ({
      shippingAddress: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name.split('.')[1], value]),
      ) as never,
    }),
  },
  addressing: {
    title: 'Choose a delivery',
    fields: [{ name: 'shipments.0.method', label: 'Shipping method', value: '1' }],
    bodyOf: (values) => ({ shipments: { 0: { method: Number(values['shipments.0.method']) } } }),
  },
  shipping: {
    title: 'Choose a payment',
    fields: [{ name: 'paymentMethod', label: 'Payment method', value: '1' }],
    bodyOf: ({ paymentMethod }) => ({ paymentMethod: Number(paymentMethod) }),
  },
  payment: { title: 'Confirm the order', fields: [], bodyOf: () => ({}) },
  finalize: {
    title: 'Pay by card',
    fields: [
      { name: 'cardholderName', label: 'Name on the card' },
      { name: 'number', label: 'Number', value: '4111111111111111' },
      { name: 'securityCode', label: 'Security code' },
      { name: 'expiryMonth', label: 'Month', value: '12' },
      { name: 'expiryYear', label: 'Year', value: '2030' },
    ],
    bodyOf: (values) =>
      ({
        type: 'visa',
        ...values,
        expiryMonth: Number(values.expiryMonth),
        expiryYear: Number(values.expiryYear),
      }) as Body,
  },
};

import type { StoreStep, StoreWorkflow } from './store-workflow.ts';

/** @param workflow its id: each workflow has a customer of its own, so that one which fails leaves the others alone */
export function customerInputs(workflow: string) {
  return {
    email: {
      description: 'E-mail address of the customer that the workflow creates. No user may have it.',
      default: `rosa.${workflow.toLowerCase()}@example.com`,
    },
  } satisfies StoreWorkflow['inputs'];
}

/** The inputs of a workflow with an order. */
export function orderInputsOf(workflow: string) {
  return {
    ...customerInputs(workflow),
    currency: { description: 'Currency of the order.', default: 'EUR' },
    country: { description: 'Id of the country that the order is shipped to.', default: 1 },
    paymentMethod: { description: 'Id of a payment method.', default: 1 },
  } satisfies StoreWorkflow['inputs'];
}

/** The same for steps that belong to no workflow of the list. */
export const orderInputs = orderInputsOf('workflow');

export const pathOfOrder = { order_id: '$steps.openCart.outputs.order' };

export const createCustomer: StoreStep = {
  id: 'createCustomer',
  summary: 'Create a customer, so that the workflow changes no other one.',
  endpoint: 'POST /api/users/',
  body: {
    firstName: 'Rosa',
    lastName: 'Lindqvist',
    email: '$inputs.email',
    plainPassword: 'correct horse',
  },
  status: 201,
  expect: { '/email': '$inputs.email', '/enabled': true },
  outputs: { user: '/id' },
};

export const deleteCustomer: StoreStep = {
  id: 'deleteCustomer',
  summary: 'Delete the customer.',
  endpoint: 'DELETE /api/users/:user_id',
  path: { user_id: '$steps.createCustomer.outputs.user' },
  status: 204,
};

const createProduct: StoreStep = {
  id: 'createProduct',
  summary: 'Create a product to sell.',
  endpoint: 'POST /api/products/',
  body: { name: 'Enamel cup', description: 'A cup for the trail.', price: 1490 },
  status: 201,
  expect: { '/masterVariant/master': true },
  outputs: { product: '/id', variant: '/masterVariant/id' },
};

const findChannel: StoreStep = {
  id: 'findChannel',
  summary: 'Find a channel to sell in.',
  endpoint: 'GET /api/channels/',
  query: { limit: 1 },
  status: 200,
  outputs: { channel: '/_embedded/items/0/id' },
};

export const openCart: StoreStep = {
  id: 'openCart',
  summary: 'Open a cart.',
  endpoint: 'POST /api/orders/',
  body: {
    channel: '$steps.findChannel.outputs.channel',
    user: '$steps.createCustomer.outputs.user',
    currency: '$inputs.currency',
  },
  status: 201,
  expect: { '/state': 'cart', '/checkout_state': 'cart', '/total': 0 },
  outputs: { order: '/id' },
};

export const addItem: StoreStep = {
  id: 'addItem',
  summary: 'Add two pieces of the product.',
  endpoint: 'POST /api/orders/:order_id/items/',
  path: pathOfOrder,
  body: { variant: '$steps.createProduct.outputs.variant', unitPrice: 1490, quantity: 2 },
  status: 201,
  expect: { '/quantity': 2, '/inventory_units/0/inventory_state': 'checkout' },
  outputs: { item: '/id' },
};

const setAddress: StoreStep = {
  id: 'setAddress',
  takes: 'addressing',
  summary: 'Set the shipping address, which is the billing address too.',
  endpoint: 'PUT /api/checkouts/:order_id',
  path: pathOfOrder,
  body: {
    shippingAddress: {
      firstName: 'Rosa',
      lastName: 'Lindqvist',
      street: 'Quay Street 11',
      city: 'Galway',
      postcode: 'H91 XY7R',
      country: '$inputs.country',
    },
  },
  status: 200,
  expect: { '/state': 'cart', '/checkout_state': 'addressing', '/billing_address/city': 'Galway' },
};

const readShippingMethods: StoreStep = {
  id: 'readShippingMethods',
  summary: 'Read the shipping methods for this address.',
  endpoint: 'GET /api/checkouts/:order_id',
  path: pathOfOrder,
  status: 200,
  outputs: { method: '/0/methods/0/id' },
};

const chooseShipping: StoreStep = {
  id: 'chooseShipping',
  takes: 'shipping',
  summary: 'Choose the first shipping method.',
  endpoint: 'PUT /api/checkouts/:order_id',
  path: pathOfOrder,
  body: { shipments: { 0: { method: '$steps.readShippingMethods.outputs.method' } } },
  status: 200,
  expect: { '/checkout_state': 'shipping', '/shipments/0/state': 'checkout' },
  outputs: { shipment: '/shipments/0/id', total: '/total' },
};

const readPaymentMethods: StoreStep = {
  id: 'readPaymentMethods',
  summary: 'Read the payment methods and the amount to pay.',
  endpoint: 'GET /api/checkouts/:order_id',
  path: pathOfOrder,
  status: 200,
  expect: {
    '/payment/state': 'new',
    '/payment/amount': '$steps.chooseShipping.outputs.total',
    '/payment/currency': '$inputs.currency',
  },
};

const choosePayment: StoreStep = {
  id: 'choosePayment',
  takes: 'payment',
  summary: 'Choose a payment method.',
  endpoint: 'PUT /api/checkouts/:order_id',
  path: pathOfOrder,
  body: { paymentMethod: '$inputs.paymentMethod' },
  status: 200,
  expect: {
    '/checkout_state': 'payment',
    '/payments/0/state': 'new',
    '/payments/0/amount': '$steps.chooseShipping.outputs.total',
  },
};

const confirm: StoreStep = {
  id: 'confirm',
  takes: 'confirm',
  summary: 'Confirm the order: a request without parameters.',
  endpoint: 'PUT /api/checkouts/:order_id',
  path: pathOfOrder,
  body: {},
  status: 200,
  expect: { '/state': 'pending', '/checkout_state': 'finalize', '/shipments/0/state': 'onhold' },
};

/** A card that every server accepts in tests. */
export const card = {
  type: 'visa',
  cardholderName: 'Rosa Lindqvist',
  number: '4242424242424242',
  securityCode: '123',
  expiryMonth: 12,
  expiryYear: 2030,
};

/** @param number of the card: one that is declined, for example */
export function purchase(
  number: string = card.number,
): Pick<StoreStep, 'takes' | 'endpoint' | 'path' | 'body'> {
  return {
    takes: 'purchase',
    endpoint: 'PUT /api/checkouts/:order_id',
    path: pathOfOrder,
    body: { ...card, number },
  };
}

/** Pays with a card that is accepted. */
export const pay: StoreStep = {
  id: 'pay',
  summary: 'Pay by card.',
  ...purchase(),
  status: 200,
  expect: {
    '/state': 'confirmed',
    '/checkout_state': 'completed',
    '/payments/0/state': 'completed',
    '/payments/0/amount': '$steps.chooseShipping.outputs.total',
  },
  outputs: { payment: '/payments/0/id', shipment: '/shipments/0/id', item: '/items/0/id' },
};

/** Steps up to a cart with an item. */
export const cartSteps = [createCustomer, createProduct, findChannel, openCart, addItem] as const;

/** Steps from a cart to an order that awaits its payment. */
export const checkoutSteps = [
  setAddress,
  readShippingMethods,
  chooseShipping,
  readPaymentMethods,
  choosePayment,
  confirm,
] as const;

export function readOrder(id: string, expect: StoreStep['expect'] & object): StoreStep {
  return {
    id,
    summary: 'Read the order.',
    endpoint: 'GET /api/orders/:order_id/',
    path: pathOfOrder,
    status: 200,
    expect,
  };
}

export const deleteProduct: StoreStep = {
  id: 'deleteProduct',
  summary: 'Delete the product.',
  endpoint: 'DELETE /api/products/:product_id',
  path: { product_id: '$steps.createProduct.outputs.product' },
  status: 204,
};

/** Deletes the order, the product and the customer. */
export const orderCleanUp: readonly StoreStep[] = [
  {
    id: 'deleteOrder',
    summary: 'Delete the order.',
    endpoint: 'DELETE /api/orders/:order_id',
    path: pathOfOrder,
    status: 204,
  },
  deleteProduct,
  deleteCustomer,
];

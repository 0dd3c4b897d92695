import { approvedCard } from '../checkout/payment.ts';
import type { StoreEndpoint, StoreStep, StoreWorkflow } from './store-workflow.ts';

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

type Rest = Pick<StoreStep, 'summary' | 'takes' | 'body' | 'expect' | 'outputs'>;

/** Returns a step about the order. Its status is 200, unless `rest` says another. */
export function onOrder(
  id: string,
  endpoint: StoreEndpoint,
  rest: Rest & Partial<Pick<StoreStep, 'status'>>,
): StoreStep {
  return { id, endpoint, path: pathOfOrder, status: 200, ...rest };
}

/** The request that submits a step of the checkout, and the one that reads the choices of the next step. */
export const submit = 'PUT /api/checkouts/:order_id';
export const readChoices = 'GET /api/checkouts/:order_id';

/** The parameters of a customer. */
export function customerOf(email: string) {
  return { firstName: 'Rosa', lastName: 'Lindqvist', email, plainPassword: 'correct horse' };
}

/** The parameters of an address. @param country its id */
export function addressIn<Country extends string | number>(country: Country) {
  return {
    firstName: 'Rosa',
    lastName: 'Lindqvist',
    street: 'Quay Street 11',
    city: 'Galway',
    postcode: 'H91 XY7R',
    country,
  };
}

/** The parameters of a product, whose stock is not tracked. */
export const product = { name: 'Enamel cup', description: 'A cup for the trail.', price: 1490 };

export const createCustomer: StoreStep = {
  id: 'createCustomer',
  summary: 'Create a customer, so that the workflow changes no other one.',
  endpoint: 'POST /api/users/',
  body: customerOf('$inputs.email'),
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
  body: product,
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

export const addItem = onOrder('addItem', 'POST /api/orders/:order_id/items/', {
  summary: 'Add two pieces of the product.',
  body: {
    variant: '$steps.createProduct.outputs.variant',
    unitPrice: product.price,
    quantity: 2,
  },
  status: 201,
  expect: { '/quantity': 2, '/inventory_units/0/inventory_state': 'checkout' },
  outputs: { item: '/id' },
});

/** Steps up to a cart without items. */
export const openingSteps = [createCustomer, createProduct, findChannel, openCart] as const;

/** Steps up to a cart with an item. */
export const cartSteps = [...openingSteps, addItem] as const;

export const setAddress = onOrder('setAddress', submit, {
  summary: 'Set the shipping address, which is the billing address too.',
  takes: 'addressing',
  body: { shippingAddress: addressIn('$inputs.country') },
  expect: {
    '/state': 'cart',
    '/checkout_state': 'addressing',
    '/billing_address/city': 'Galway',
  },
});

export const readShippingMethods = onOrder('readShippingMethods', readChoices, {
  summary: 'Read the shipping methods for this address.',
  outputs: { method: '/0/methods/0/id' },
});

export const chooseShipping = onOrder('chooseShipping', submit, {
  summary: 'Choose the first shipping method.',
  takes: 'shipping',
  body: { shipments: { 0: { method: '$steps.readShippingMethods.outputs.method' } } },
  expect: { '/checkout_state': 'shipping', '/shipments/0/state': 'checkout' },
  outputs: { shipment: '/shipments/0/id', total: '/total' },
});

const total = '$steps.chooseShipping.outputs.total';

export const readPaymentMethods = onOrder('readPaymentMethods', readChoices, {
  summary: 'Read the payment methods and the amount to pay.',
  expect: {
    '/payment/state': 'new',
    '/payment/amount': total,
    '/payment/currency': '$inputs.currency',
  },
});

export const choosePayment = onOrder('choosePayment', submit, {
  summary: 'Choose a payment method.',
  takes: 'payment',
  body: { paymentMethod: '$inputs.paymentMethod' },
  expect: {
    '/checkout_state': 'payment',
    '/payments/0/state': 'new',
    '/payments/0/amount': total,
  },
});

export const confirm = onOrder('confirm', submit, {
  summary: 'Confirm the order: a request without parameters.',
  takes: 'confirm',
  body: {},
  expect: { '/state': 'pending', '/checkout_state': 'finalize', '/shipments/0/state': 'onhold' },
});

/** Steps from a cart to an order that awaits its payment. */
export const checkoutSteps = [
  setAddress,
  readShippingMethods,
  chooseShipping,
  readPaymentMethods,
  choosePayment,
  confirm,
] as const;

/** A card that every server accepts in tests. @param number of another one, which is declined for example */
export function cardOf(number: string = approvedCard) {
  return {
    type: 'visa',
    cardholderName: 'Rosa Lindqvist',
    number,
    securityCode: '123',
    expiryMonth: 12,
    expiryYear: 2030,
  };
}

/** Pays with a card that is accepted. */
export const pay = onOrder('pay', submit, {
  summary: 'Pay by card.',
  takes: 'purchase',
  body: cardOf(),
  expect: {
    '/state': 'confirmed',
    '/checkout_state': 'completed',
    '/payments/0/state': 'completed',
    '/payments/0/amount': total,
  },
  outputs: { payment: '/payments/0/id', shipment: '/shipments/0/id', item: '/items/0/id' },
});

export function readOrder(id: string, expect: StoreStep['expect'] & object): StoreStep {
  return onOrder(id, 'GET /api/orders/:order_id/', { summary: 'Read the order.', expect });
}

export const deleteOrder = onOrder('deleteOrder', 'DELETE /api/orders/:order_id', {
  summary: 'Delete the order.',
  status: 204,
});

export const deleteProduct: StoreStep = {
  id: 'deleteProduct',
  summary: 'Delete the product.',
  endpoint: 'DELETE /api/products/:product_id',
  path: { product_id: '$steps.createProduct.outputs.product' },
  status: 204,
};

/** Deletes the order, the product and the customer. */
export const orderCleanUp = [deleteOrder, deleteProduct, deleteCustomer] as const;

import { notValid } from '../../engine/lib/problem.ts';
import {
  addItem,
  addressIn,
  cardOf,
  checkoutSteps,
  choosePayment,
  chooseShipping,
  confirm,
  deleteCustomer,
  deleteProduct,
  openingSteps,
  orderCleanUp,
  orderInputs,
  pathOfOrder,
  readChoices,
  readPaymentMethods,
  readShippingMethods,
  setAddress,
  submit,
} from '../../shop/workflows/steps.ts';
import type {
  StoreEndpoint,
  StoreStep,
  StoreWorkflow,
} from '../../shop/workflows/store-workflow.ts';

const items: StoreEndpoint = 'POST /api/orders/:order_id/items/';
const removeItem: StoreEndpoint = 'DELETE /api/orders/:order_id/items/:item_id';
const ofItem = { path: { ...pathOfOrder, item_id: '$steps.addSecondItem.outputs.item' } };
const ofPayment = { path: { payment_id: '$steps.pay.outputs.payment' } };
const ofShipment = { path: { shipment_id: '$steps.pay.outputs.shipment' } };
const variant = '$steps.createProduct.outputs.variant';
const unknown = 999_999_999;

/** Returns the place of the first error of a parameter. */
function error(parameter: string): string {
  return `/errors/children/${parameter}/errors/0`;
}

function step(
  id: string,
  endpoint: StoreEndpoint,
  status: number,
  rest: Pick<StoreStep, 'takes' | 'path' | 'body' | 'expect' | 'outputs'> = {},
): StoreStep {
  return { id, summary: id, endpoint, status, ...rest };
}

/** A step about the order. */
function ofOrder(
  id: string,
  endpoint: StoreEndpoint,
  status: number,
  rest: Pick<StoreStep, 'takes' | 'body' | 'expect' | 'outputs'> = {},
): StoreStep {
  return step(id, endpoint, status, { path: pathOfOrder, ...rest });
}

/** Sends what each step of a checkout must reject, from an empty cart to the payment. */
const rejections: StoreWorkflow = {
  id: 'rejections',
  summary: 'What each step of a checkout rejects',
  description: 'Sends invalid parameters and steps out of order. None of them changes the order.',
  inputs: orderInputs,
  steps: [
    ...openingSteps,
    ofOrder('addressEmptyCart', submit, 400, {
      body: { shippingAddress: addressIn('$inputs.country') },
      expect: { '/message': 'Order cannot be empty!' },
    }),
    ofOrder('proposeForCart', readChoices, 405),
    ofOrder('addInvalidItem', items, 400, {
      body: { unitPrice: -1, quantity: 0 },
      expect: {
        '/message': 'Validation Failed',
        [error('variant')]: 'This value should not be blank.',
        [error('unitPrice')]: 'Price must not be negative.',
        [error('quantity')]: 'Quantity must be at least 1.',
      },
    }),
    ofOrder('addUnknownVariant', items, 400, {
      body: { variant: unknown, unitPrice: 1, quantity: 1 },
      expect: { [error('variant')]: notValid },
    }),
    step('openForUnknown', 'POST /api/orders/', 400, {
      body: { channel: unknown, user: unknown, currency: 'none' },
      expect: {
        [error('channel')]: notValid,
        [error('user')]: notValid,
        [error('currency')]: notValid,
      },
    }),
    addItem,
    ofOrder('readCart', 'GET /api/orders/:order_id/', 200, {
      expect: {
        '/items/0/quantity': 2,
        '/state': 'cart',
        '/user/id': '$steps.createCustomer.outputs.user',
      },
    }),
    ofOrder('addSecondItem', items, 201, {
      body: { variant, unitPrice: 333, quantity: 3 },
      expect: { '/quantity': 3 },
      outputs: { item: '/id' },
    }),
    step('removeSecondItem', removeItem, 204, ofItem),
    step('removeAgain', removeItem, 404, ofItem),
    ofOrder('confirmTooEarly', submit, 400, { expect: { '/code': 400 } }),
    ofOrder('shipTooEarly', submit, 400, { body: { shipments: { 0: { method: 1 } } } }),
    ofOrder('payTooEarly', submit, 400, { body: { paymentMethod: 1 } }),
    ofOrder('purchaseTooEarly', submit, 400, { body: cardOf() }),
    ofOrder('addressInvalid', submit, 400, {
      body: { shippingAddress: { firstName: 'R', country: unknown } },
      expect: {
        '/message': 'Validation Failed',
        '/errors/children/shippingAddress/children/city/errors/0': 'Please enter city.',
        '/errors/children/shippingAddress/children/street/errors/0': 'Please enter street.',
        '/errors/children/shippingAddress/children/country/errors/0': notValid,
      },
    }),
    setAddress,
    readShippingMethods,
    ofOrder('shipUnknown', submit, 400, {
      body: { shipments: { 0: { method: unknown } } },
      expect: { '/message': 'Validation Failed' },
    }),
    chooseShipping,
    readPaymentMethods,
    ofOrder('payUnknown', submit, 400, {
      body: { paymentMethod: unknown },
      expect: { [error('paymentMethod')]: notValid },
    }),
    choosePayment,
    ofOrder('purchaseUnconfirmed', submit, 400, { body: cardOf() }),
    confirm,
    ofOrder('addItemToOrder', items, 400, { body: { variant, unitPrice: 1, quantity: 1 } }),
    ofOrder('purchaseInvalid', submit, 400, {
      body: {
        ...cardOf('4242424242424241'),
        cardholderName: 'R',
        securityCode: '1',
        expiryMonth: 13,
        expiryYear: 1999,
      },
      expect: {
        [error('number')]: 'The credit card number you entered is invalid.',
        [error('expiryMonth')]: notValid,
        [error('expiryYear')]: notValid,
      },
    }),
    ofOrder('pay', submit, 200, {
      takes: 'purchase',
      body: cardOf(),
      expect: {
        '/state': 'confirmed',
        '/checkout_state': 'completed',
        '/payments/0/state': 'completed',
      },
      outputs: { payment: '/payments/0/id', shipment: '/shipments/0/id' },
    }),
    ofOrder('purchaseAgain', submit, 400, { body: cardOf() }),
    ofOrder('readOrderInCheckout', readChoices, 200, { expect: { '/state': 'confirmed' } }),
    step('readPayment', 'GET /api/payments/:payment_id', 200, {
      ...ofPayment,
      expect: { '/state': 'completed' },
    }),
    step('deletePayment', 'DELETE /api/payments/:payment_id', 204, ofPayment),
    step('readDeletedPayment', 'GET /api/payments/:payment_id', 404, ofPayment),
    step('deleteShipment', 'DELETE /api/shipments/:shipment_id', 204, ofShipment),
    step('readDeletedShipment', 'GET /api/shipments/:shipment_id', 404, ofShipment),
    ofOrder('deleteOrderInTime', 'DELETE /api/orders/:order_id', 204),
    ofOrder('readDeletedOrder', 'GET /api/orders/:order_id/', 404),
  ],
  cleanUp: [deleteProduct, deleteCustomer],
};

/** An order with items of the catalogue, which are taxed, up to the payment. Its stock stays as it is. */
const catalogueOrder: StoreWorkflow = {
  id: 'catalogueOrder',
  summary: 'Taxes and shipping of an order with items of the catalogue',
  description: 'Opens a cart with items of odd prices, and deletes it before it is confirmed.',
  inputs: {
    ...orderInputs,
    first: { description: 'Id of a variant.', default: 1 },
    second: { description: 'Id of another variant.', default: 2 },
  },
  steps: [
    ...openingSteps,
    ...[1, 3, 7].map((quantity, index) =>
      ofOrder(`add${index}`, items, 201, {
        body: {
          variant: index === 1 ? '$inputs.second' : '$inputs.first',
          unitPrice: 333 + index,
          quantity,
        },
        expect: { '/quantity': quantity },
      }),
    ),
    setAddress,
    readShippingMethods,
    chooseShipping,
    readPaymentMethods,
    choosePayment,
  ],
  cleanUp: orderCleanUp,
};

/** Shows whether a price that differs from the variant's is kept. */
const otherPrice: StoreWorkflow = {
  id: 'otherPrice',
  summary: 'The price of an item at confirm',
  description: 'Confirms an order whose item has another price than its variant.',
  inputs: orderInputs,
  steps: [
    ...openingSteps,
    ofOrder('addItem', items, 201, { body: { variant, unitPrice: 1000, quantity: 1 } }),
    ...checkoutSteps.filter(({ id }) => id !== confirm.id),
    ofOrder('confirmOtherPrice', submit, 200, {
      takes: 'confirm',
      expect: { '/state': 'pending' },
    }),
  ],
  cleanUp: orderCleanUp,
};

/** Workflows of orders: they need a channel, a country with a shipping method, and a payment method. */
export const orderProbes: readonly StoreWorkflow[] = [rejections, catalogueOrder, otherPrice];

import {
  card,
  cartSteps,
  checkoutSteps,
  orderCleanUp,
  orderInputs,
  purchase,
} from '../workflows/steps.ts';
import type { StoreEndpoint, StoreStep, StoreWorkflow } from '../workflows/store-workflow.ts';
import { blank, error, notValid, step } from './probe.ts';

const order = { order_id: '$steps.openCart.outputs.order' };
const items: StoreEndpoint = 'POST /api/orders/:order_id/items/';
const checkout: StoreEndpoint = 'PUT /api/checkouts/:order_id';
const proposal: StoreEndpoint = 'GET /api/checkouts/:order_id';

function stepNamed(id: string): StoreStep {
  const found = [...cartSteps, ...checkoutSteps].find((one) => one.id === id);
  if (found === undefined) throw new Error(`no step ${id}`);
  return found;
}

/** Sends what each step of a checkout must reject, from an empty cart to the payment. */
const rejections: StoreWorkflow = {
  id: 'rejections',
  summary: 'What each step of a checkout rejects',
  description: 'Sends invalid parameters and steps out of order. None of them changes the order.',
  inputs: orderInputs,
  steps: [
    ...cartSteps.filter(({ id }) => id !== 'addItem'),
    step('addressEmptyCart', checkout, 400, {
      path: order,
      body: stepNamed('setAddress').body ?? {},
      expect: { '/message': 'Order cannot be empty!' },
    }),
    step('proposeForCart', proposal, 405, { path: order }),
    step('addInvalidItem', items, 400, {
      path: order,
      body: { unitPrice: -1, quantity: 0 },
      expect: {
        '/message': 'Validation Failed',
        [error('variant')]: blank,
        [error('unitPrice')]: 'Price must not be negative.',
        [error('quantity')]: 'Quantity must be at least 1.',
      },
    }),
    step('addUnknownVariant', items, 400, {
      path: order,
      body: { variant: 999_999_999, unitPrice: 1, quantity: 1 },
      expect: { [error('variant')]: notValid },
    }),
    step('openForUnknown', 'POST /api/orders/', 400, {
      body: { channel: 999_999_999, user: 999_999_999, currency: 'none' },
      expect: {
        [error('channel')]: notValid,
        [error('user')]: notValid,
        [error('currency')]: notValid,
      },
    }),
    stepNamed('addItem'),
    step('readCart', 'GET /api/orders/:order_id/', 200, {
      path: order,
      expect: {
        '/items/0/quantity': 2,
        '/state': 'cart',
        '/user/id': '$steps.createCustomer.outputs.user',
      },
    }),
    step('addSecondItem', items, 201, {
      path: order,
      body: { variant: '$steps.createProduct.outputs.variant', unitPrice: 333, quantity: 3 },
      expect: { '/quantity': 3 },
      outputs: { item: '/id' },
    }),
    step('removeSecondItem', 'DELETE /api/orders/:order_id/items/:item_id', 204, {
      path: { ...order, item_id: '$steps.addSecondItem.outputs.item' },
    }),
    step('removeAgain', 'DELETE /api/orders/:order_id/items/:item_id', 404, {
      path: { ...order, item_id: '$steps.addSecondItem.outputs.item' },
    }),
    step('confirmTooEarly', checkout, 400, { path: order, expect: { '/code': 400 } }),
    step('shipTooEarly', checkout, 400, { path: order, body: { shipments: { 0: { method: 1 } } } }),
    step('payTooEarly', checkout, 400, { path: order, body: { paymentMethod: 1 } }),
    step('purchaseTooEarly', checkout, 400, { path: order, body: card }),
    step('addressInvalid', checkout, 400, {
      path: order,
      body: { shippingAddress: { firstName: 'R', country: 999_999_999 } },
      expect: {
        '/message': 'Validation Failed',
        '/errors/children/shippingAddress/children/city/errors/0': 'Please enter city.',
        '/errors/children/shippingAddress/children/street/errors/0': 'Please enter street.',
        '/errors/children/shippingAddress/children/country/errors/0': notValid,
      },
    }),
    stepNamed('setAddress'),
    stepNamed('readShippingMethods'),
    step('shipUnknown', checkout, 400, {
      path: order,
      body: { shipments: { 0: { method: 999_999_999 } } },
      expect: { '/message': 'Validation Failed' },
    }),
    stepNamed('chooseShipping'),
    stepNamed('readPaymentMethods'),
    step('payUnknown', checkout, 400, {
      path: order,
      body: { paymentMethod: 999_999_999 },
      expect: { [error('paymentMethod')]: notValid },
    }),
    stepNamed('choosePayment'),
    step('purchaseUnconfirmed', checkout, 400, { path: order, body: card }),
    stepNamed('confirm'),
    step('addItemToOrder', items, 400, {
      path: order,
      body: { variant: '$steps.createProduct.outputs.variant', unitPrice: 1, quantity: 1 },
    }),
    step('purchaseInvalid', checkout, 400, {
      path: order,
      body: {
        ...card,
        cardholderName: 'R',
        number: '4242424242424241',
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
    {
      ...step('pay', checkout, 200, purchase()),
      expect: {
        '/state': 'confirmed',
        '/checkout_state': 'completed',
        '/payments/0/state': 'completed',
      },
      outputs: { payment: '/payments/0/id', shipment: '/shipments/0/id' },
    },
    step('purchaseAgain', checkout, 400, { path: order, body: card }),
    step('readOrderInCheckout', proposal, 200, { path: order, expect: { '/state': 'confirmed' } }),
    step('readPayment', 'GET /api/payments/:payment_id', 200, {
      path: { payment_id: '$steps.pay.outputs.payment' },
      expect: { '/state': 'completed' },
    }),
    step('deletePayment', 'DELETE /api/payments/:payment_id', 204, {
      path: { payment_id: '$steps.pay.outputs.payment' },
    }),
    step('readDeletedPayment', 'GET /api/payments/:payment_id', 404, {
      path: { payment_id: '$steps.pay.outputs.payment' },
    }),
    step('deleteShipment', 'DELETE /api/shipments/:shipment_id', 204, {
      path: { shipment_id: '$steps.pay.outputs.shipment' },
    }),
    step('readDeletedShipment', 'GET /api/shipments/:shipment_id', 404, {
      path: { shipment_id: '$steps.pay.outputs.shipment' },
    }),
    step('deleteOrderInTime', 'DELETE /api/orders/:order_id', 204, { path: order }),
    step('readDeletedOrder', 'GET /api/orders/:order_id/', 404, { path: order }),
  ],
  cleanUp: orderCleanUp.filter(({ id }) => id !== 'deleteOrder'),
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
    ...cartSteps.filter(({ id }) => id !== 'addItem'),
    ...[1, 3, 7].map((quantity, index) =>
      step(`add${index}`, items, 201, {
        path: order,
        body: {
          variant: index === 1 ? '$inputs.second' : '$inputs.first',
          unitPrice: 333 + index,
          quantity,
        },
        expect: { '/quantity': quantity },
      }),
    ),
    ...[
      'setAddress',
      'readShippingMethods',
      'chooseShipping',
      'readPaymentMethods',
      'choosePayment',
    ].map(stepNamed),
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
    ...cartSteps.filter(({ id }) => id !== 'addItem'),
    step('addItem', items, 201, {
      path: order,
      body: { variant: '$steps.createProduct.outputs.variant', unitPrice: 1000, quantity: 1 },
    }),
    ...checkoutSteps.filter(({ id }) => id !== 'confirm'),
    step('confirmOtherPrice', checkout, 200, {
      path: order,
      takes: 'confirm',
      expect: { '/state': 'pending' },
    }),
  ],
  cleanUp: orderCleanUp,
};

/** Workflows of orders: they need a channel, a country with a shipping method, and a payment method. */
export const orderProbes: readonly StoreWorkflow[] = [rejections, catalogueOrder, otherPrice];

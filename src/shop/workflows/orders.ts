import { declinedCard as declinedNumber } from '../checkout/payment.ts';
import {
  addItem,
  cardOf,
  cartSteps,
  checkoutSteps,
  deleteOrder,
  onOrder,
  openCart,
  orderCleanUp,
  orderInputsOf,
  pay,
  readOrder,
  submit,
} from './steps.ts';
import type { StoreWorkflow } from './store-workflow.ts';

export const checkout: StoreWorkflow = {
  id: 'checkout',
  summary: 'A checkout from the cart to the payment',
  description:
    'Opens a cart, adds an item, takes each step of the checkout, and pays by card. The order is then confirmed.',
  inputs: orderInputsOf('checkout'),
  steps: [
    ...cartSteps,
    ...checkoutSteps,
    pay,
    readOrder('readOrder', {
      '/state': 'confirmed',
      '/checkout_state': 'completed',
      '/payments/0/state': 'completed',
      '/total': '$steps.chooseShipping.outputs.total',
    }),
  ],
  cleanUp: orderCleanUp,
};

export const declinedCard: StoreWorkflow = {
  id: 'declinedCard',
  summary: 'A declined card and the second try',
  description:
    'Pays with a card that is declined. The order stays pending, and a purchase with another card makes a new payment.',
  inputs: orderInputsOf('declinedCard'),
  steps: [
    ...cartSteps,
    ...checkoutSteps,
    onOrder('payWithDeclinedCard', submit, {
      summary: 'Pay with a card that is declined. The setting `declinedStatus` decides the status.',
      takes: 'purchase',
      body: cardOf(declinedNumber),
      status: [200, 402],
      expect: {
        '/state': 'pending',
        '/checkout_state': 'finalize',
        '/payments/0/state': 'failed',
      },
    }),
    onOrder('payWithOtherCard', submit, {
      summary: 'Pay with another card.',
      takes: 'purchase',
      body: cardOf(),
      expect: {
        '/state': 'confirmed',
        '/checkout_state': 'completed',
        '/payments/0/state': 'failed',
        '/payments/1/state': 'completed',
      },
    }),
  ],
  cleanUp: orderCleanUp,
};

const useCoupon = 'POST /_backlot/orders/:order_id/coupons';
const secondCart = { order_id: '$steps.openSecondCart.outputs.order' };

export const couponLimit: StoreWorkflow = {
  id: 'couponLimit',
  summary: 'A coupon at its limit',
  description:
    'Adds a coupon that can be used once, pays an order with it, and gets an error for the same coupon on a second cart. The store API cannot add a coupon to a cart: this is a step of the control API. The coupon stays, because the API cannot delete it.',
  inputs: {
    ...orderInputsOf('couponLimit'),
    promotion: { description: 'Id of a promotion that requires a coupon.', default: 1 },
    coupon: { description: 'Code of the new coupon. No coupon may have it.', default: 'ONCE-ONLY' },
  },
  steps: [
    {
      id: 'createCoupon',
      summary: 'Add a coupon that can be used once to a promotion.',
      endpoint: 'POST /api/promotions/:promotion_id/coupons/',
      path: { promotion_id: '$inputs.promotion' },
      body: { code: '$inputs.coupon', usageLimit: 1 },
      status: 201,
      expect: { '/code': '$inputs.coupon', '/usage_limit': 1, '/used': 0 },
      outputs: { coupon: '/id' },
    },
    ...cartSteps,
    onOrder('useCoupon', useCoupon, {
      summary: 'Add the coupon to the cart.',
      body: { coupon: '$inputs.coupon' },
      expect: { '/coupons/0': '$inputs.coupon' },
    }),
    ...checkoutSteps,
    pay,
    {
      id: 'readCoupon',
      summary: 'Read the coupon, which has reached its limit.',
      endpoint: 'GET /api/promotions/:promotion_id/coupons/:coupon_id',
      path: {
        promotion_id: '$inputs.promotion',
        coupon_id: '$steps.createCoupon.outputs.coupon',
      },
      status: 200,
      expect: { '/usage_limit': 1, '/used': 1 },
    },
    { ...openCart, id: 'openSecondCart', summary: 'Open a second cart.' },
    { ...addItem, id: 'addItemToSecondCart', path: secondCart },
    {
      id: 'useCouponAgain',
      summary: 'Add the coupon to the second cart.',
      endpoint: useCoupon,
      path: secondCart,
      body: { coupon: '$inputs.coupon' },
      status: 400,
      expect: { '/code': 400 },
    },
  ],
  cleanUp: [
    {
      ...deleteOrder,
      id: 'deleteSecondCart',
      summary: 'Delete the second cart.',
      path: secondCart,
    },
    ...orderCleanUp,
  ],
};

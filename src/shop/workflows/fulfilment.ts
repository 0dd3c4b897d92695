import {
  cartSteps,
  checkoutSteps,
  deleteProduct,
  orderCleanUp,
  orderInputsOf,
  pathOfOrder,
  pay,
  readOrder,
} from './steps.ts';
import type { StoreStep, StoreWorkflow } from './store-workflow.ts';

const shipment = '$steps.chooseShipping.outputs.shipment';

/** Applies a transition to a record. @param path its machine and its id */
function transition(
  id: string,
  summary: string,
  path: { readonly machine: string; readonly id: string },
  [name, state]: readonly [name: string, state: string],
): StoreStep {
  return {
    id,
    summary,
    endpoint: 'POST /_backlot/transitions/:machine/:id',
    path,
    body: { transition: name },
    status: 200,
    expect: { '/state': state },
  };
}

const byMachine = { machine: 'shipment', id: shipment };
const ship = transition('ship', 'Ship the order.', byMachine, ['ship', 'shipped']);

export const backorder: StoreWorkflow = {
  id: 'backorder',
  summary: 'A backorder, its stock and its shipping',
  description:
    'Sells a product that is out of stock: the paid order is backordered. New stock makes its shipment ready, and it is shipped. Stock and shipping are steps of the control API.',
  inputs: {
    ...orderInputsOf('backorder'),
    location: { description: 'Code of the new stock location.', default: 'workflow-backorder' },
  },
  steps: [
    ...cartSteps,
    {
      id: 'createStockLocation',
      summary: 'Create a stock location.',
      endpoint: 'POST /api/stock-locations/',
      body: { code: '$inputs.location', name: 'Shelf of a workflow' },
      status: 201,
      expect: { '/code': '$inputs.location', '/enabled': true },
      outputs: { location: '/id' },
    },
    setStock('sellOut', 0, 'Set the stock of the product to zero.'),
    ...checkoutSteps,
    {
      ...pay,
      expect: {
        ...pay.expect,
        '/shipments/0/state': 'backordered',
        '/items/0/inventory_units/0/inventory_state': 'backordered',
      },
    },
    setStock('restock', 2, 'Set the stock to the pieces of the order. They are sold at once.'),
    {
      id: 'readShipment',
      summary: 'Read the shipment, which is ready.',
      endpoint: 'GET /api/shipments/:shipment_id',
      path: { shipment_id: shipment },
      status: 200,
      expect: { '/state': 'ready' },
    },
    ship,
    readOrder('readShippedOrder', {
      '/state': 'shipped',
      '/shipments/0/state': 'shipped',
      '/items/0/inventory_units/0/inventory_state': 'sold',
    }),
  ],
  cleanUp: [
    ...orderCleanUp.filter(({ id }) => id !== deleteProduct.id),
    {
      id: 'deleteStockLocation',
      summary: 'Delete the stock location and its stock.',
      endpoint: 'DELETE /api/stock-locations/:id',
      path: { id: '$steps.createStockLocation.outputs.location' },
      status: 204,
    },
    deleteProduct,
  ],
};

function setStock(id: string, onHand: number, summary: string): StoreStep {
  return {
    id,
    summary,
    endpoint: 'PUT /_backlot/stock',
    body: {
      stockLocation: '$steps.createStockLocation.outputs.location',
      variant: '$steps.createProduct.outputs.variant',
      onHand,
    },
    status: 200,
  };
}

const order = { machine: 'order', id: pathOfOrder.order_id };
const payment = { machine: 'payment', id: '$steps.pay.outputs.payment' };

export const refund: StoreWorkflow = {
  id: 'refund',
  summary: 'A return and its refund',
  description:
    'Ships a paid order, takes it back, and refunds its payment. These transitions are steps of the control API.',
  inputs: orderInputsOf('refund'),
  steps: [
    ...cartSteps,
    ...checkoutSteps,
    pay,
    ship,
    transition('returnOrder', 'Take the order back.', order, ['return', 'returned']),
    transition('refundPayment', 'Refund the payment.', payment, ['refund', 'refunded']),
    readOrder('readReturnedOrder', {
      '/state': 'returned',
      '/payments/0/state': 'refunded',
      '/shipments/0/state': 'returned',
      '/items/0/inventory_units/0/inventory_state': 'returned',
    }),
  ],
  cleanUp: orderCleanUp,
};

import {
  cartSteps,
  checkoutSteps,
  orderCleanUp,
  orderInputs,
  purchase,
} from '../workflows/steps.ts';
import type {
  JsonRecord,
  Workflow,
  WorkflowEndpoint,
  WorkflowInput,
  WorkflowStep,
} from '../workflows/workflow.ts';

const tagInput: Readonly<Record<string, WorkflowInput>> = {
  tag: { description: 'Text that no record of the server has.', default: 'probe' },
};

type Expectations = Readonly<Record<string, string | number | boolean>>;

function step(
  id: string,
  endpoint: WorkflowEndpoint,
  status: number,
  rest: Pick<WorkflowStep, 'path' | 'query' | 'body' | 'expect' | 'outputs'> = {},
): WorkflowStep {
  return { id, summary: id, endpoint, status, ...rest };
}

interface Resource {
  readonly id: string;
  readonly collection: WorkflowEndpoint;
  readonly single: string;
  readonly parameter: string;
  readonly body: JsonRecord;
  readonly created: Expectations;
  readonly put: JsonRecord;
  readonly afterPut: Expectations;
  readonly patch: JsonRecord;
  readonly afterPatch: Expectations;
  /** An invalid body, and the errors that it gets. */
  readonly invalid: readonly (readonly [body: JsonRecord, errors: Expectations])[];
}

function error(parameter: string): string {
  return `/errors/children/${parameter}/errors/0`;
}

const taken = 'This value is already used.';
const blank = 'This value should not be blank.';
const notValid = 'This value is not valid.';

const resources: readonly Resource[] = [
  {
    id: 'users',
    collection: 'POST /api/users/',
    single: '/api/users/:user_id',
    parameter: 'user_id',
    body: {
      firstName: 'Rosa',
      lastName: 'Lindqvist',
      email: 'User-{$inputs.tag}@example.com',
      plainPassword: 'correct horse',
      enabled: false,
    },
    created: {
      '/email': 'User-{$inputs.tag}@example.com',
      '/username': 'User-{$inputs.tag}@example.com',
      '/enabled': false,
      '/locked': false,
      '/expired': false,
      '/credentials_expired': false,
    },
    put: {
      firstName: 'Ada',
      lastName: 'Novak',
      email: 'Put-{$inputs.tag}@example.com',
      enabled: true,
    },
    afterPut: { '/email': 'Put-{$inputs.tag}@example.com', '/enabled': true },
    patch: { email: 'patch-{$inputs.tag}@example.com' },
    afterPatch: { '/username': 'patch-{$inputs.tag}@example.com', '/enabled': true },
    invalid: [
      [
        { firstName: 'A', lastName: '', email: 'none' },
        {
          [error('firstName')]: 'This value is too short. It should have 2 characters or more.',
          [error('email')]: 'This value is not a valid email address.',
        },
      ],
    ],
  },
  {
    id: 'products',
    collection: 'POST /api/products/',
    single: '/api/products/:product_id',
    parameter: 'product_id',
    body: {
      name: 'Enamel cup {$inputs.tag}',
      description: 'A cup for the trail.',
      price: 1490,
      shortDescription: 'A cup.',
      sku: 'CUP-{$inputs.tag}',
    },
    created: {
      '/name': 'Enamel cup {$inputs.tag}',
      '/description': 'A cup for the trail.',
      '/short_description': 'A cup.',
      '/masterVariant/master': true,
      '/masterVariant/sku': 'CUP-{$inputs.tag}',
    },
    put: {
      name: 'Tin cup {$inputs.tag}',
      description: 'Another cup.',
      price: 990,
      shortDescription: 'Tin.',
    },
    afterPut: {
      '/name': 'Tin cup {$inputs.tag}',
      '/description': 'Another cup.',
      '/short_description': 'Tin.',
      '/masterVariant/sku': 'CUP-{$inputs.tag}',
    },
    patch: { description: 'A third cup.' },
    afterPatch: { '/description': 'A third cup.', '/short_description': 'Tin.' },
    invalid: [[{ price: -1 }, { [error('price')]: 'Price must not be negative.' }]],
  },
  {
    id: 'channels',
    collection: 'POST /api/channels/',
    single: '/api/channels/:id',
    parameter: 'id',
    body: { code: 'c-{$inputs.tag}', color: 'orange', name: 'A channel', type: 'mobile' },
    created: {
      '/code': 'c-{$inputs.tag}',
      '/color': 'orange',
      '/name': 'A channel',
      '/type': 'mobile',
      '/enabled': true,
    },
    put: { code: 'p-{$inputs.tag}', color: 'green' },
    afterPut: {
      '/code': 'p-{$inputs.tag}',
      '/color': 'green',
      '/name': 'A channel',
      '/type': 'mobile',
    },
    patch: { enabled: false },
    afterPatch: { '/code': 'p-{$inputs.tag}', '/enabled': false },
    invalid: [
      [
        { code: 'p-{$inputs.tag}', color: 'x', currencies: [999_999_999] },
        { [error('code')]: taken, [error('currencies')]: notValid },
      ],
    ],
  },
  {
    id: 'stockLocations',
    collection: 'POST /api/stock-locations/',
    single: '/api/stock-locations/:id',
    parameter: 'id',
    body: { code: 's-{$inputs.tag}', name: 'Shelf', enabled: false },
    created: { '/code': 's-{$inputs.tag}', '/name': 'Shelf', '/enabled': false },
    put: { code: 't-{$inputs.tag}', name: 'Rack', enabled: true },
    afterPut: { '/code': 't-{$inputs.tag}', '/name': 'Rack', '/enabled': true },
    patch: { name: 'Box' },
    afterPatch: { '/code': 't-{$inputs.tag}', '/name': 'Box' },
    invalid: [
      [
        { code: 't-{$inputs.tag}', address: { city: 'Galway' } },
        {
          [error('code')]: taken,
          [error('name')]: blank,
          '/errors/children/address/children/street/errors/0': 'Please enter street.',
        },
      ],
    ],
  },
];

/** Creates a record, reads and changes it in each way, sends invalid changes, and deletes it. */
function lifeOf({ id, collection, single, parameter, ...resource }: Resource): Workflow {
  const path = { [parameter]: '$steps.create.outputs.id' };
  const at = (method: string): WorkflowEndpoint => `${method} ${single}` as WorkflowEndpoint;
  const invalid = resource.invalid.map(([body, expect], index) =>
    step(`createInvalid${index}`, collection, 400, {
      body,
      expect: { '/code': 400, '/message': 'Validation Failed', ...expect },
    }),
  );
  return {
    id,
    summary: `The life of a record of ${id}`,
    description: 'Creates, reads, replaces, changes and deletes a record.',
    inputs: tagInput,
    steps: [
      step('create', collection, 201, {
        body: resource.body,
        expect: resource.created,
        outputs: { id: '/id' },
      }),
      step('read', at('GET'), 200, {
        path,
        expect: { '/id': '$steps.create.outputs.id', ...resource.created },
      }),
      step('put', at('PUT'), 204, { path, body: resource.put }),
      step('readPut', at('GET'), 200, { path, expect: resource.afterPut }),
      step('patch', at('PATCH'), 204, { path, body: resource.patch }),
      step('readPatch', at('GET'), 200, { path, expect: resource.afterPatch }),
      step('putInvalid', at('PUT'), 400, { path, body: {} }),
      step('patchInvalid', at('PATCH'), 400, {
        path,
        body: { [Object.keys(resource.put)[0] ?? 'name']: '' },
      }),
      ...invalid,
      step('delete', at('DELETE'), 204, { path }),
      step('readDeleted', at('GET'), 404, {
        path,
        expect: { '/code': 404 },
      }),
      step('deleteAgain', at('DELETE'), 404, { path, expect: { '/code': 404 } }),
    ],
    cleanUp: [],
  };
}

const order = { order_id: '$steps.openCart.outputs.order' };
const items: WorkflowEndpoint = 'POST /api/orders/:order_id/items/';
const checkout: WorkflowEndpoint = 'PUT /api/checkouts/:order_id';
const proposal: WorkflowEndpoint = 'GET /api/checkouts/:order_id';

const card = {
  type: 'visa',
  cardholderName: 'Rosa Lindqvist',
  number: '4242424242424242',
  securityCode: '123',
  expiryMonth: 12,
  expiryYear: 2030,
};

function stepNamed(id: string): WorkflowStep {
  const found = [...cartSteps, ...checkoutSteps].find((one) => one.id === id);
  if (found === undefined) throw new Error(`no step ${id}`);
  return found;
}

/** Sends what each step of a checkout must reject, from an empty cart to the payment. */
const rejections: Workflow = {
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
        type: 'visa',
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
const catalogueOrder: Workflow = {
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
const otherPrice: Workflow = {
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
    step('confirmOtherPrice', checkout, 200, { path: order, expect: { '/state': 'pending' } }),
  ],
  cleanUp: orderCleanUp,
};

/** Workflows of records: they need no catalogue. */
export const recordProbes: readonly Workflow[] = resources.map(lifeOf);

/** Workflows of orders: they need a channel, a country with a shipping method, and a payment method. */
export const orderProbes: readonly Workflow[] = [rejections, catalogueOrder, otherPrice];

import type { JsonRecord, WorkflowInput } from '../../engine/definition/workflow.ts';
import { customerOf } from '../../shop/workflows/steps.ts';
import type { StoreEndpoint, StoreWorkflow } from '../../shop/workflows/store-workflow.ts';
import { blank, error, notValid, step, taken, type Expectations } from './probe.ts';

const tagInput: Readonly<Record<string, WorkflowInput>> = {
  tag: { description: 'Text that no record of the server has.', default: 'probe' },
};

type SinglePath = `/api/${
  | 'users/:user_id'
  | 'products/:product_id'
  | 'channels/:id'
  | 'stock-locations/:id'}`;

interface Resource {
  readonly id: string;
  readonly collection: StoreEndpoint;
  readonly single: SinglePath;
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

const resources: readonly Resource[] = [
  {
    id: 'users',
    collection: 'POST /api/users/',
    single: '/api/users/:user_id',
    parameter: 'user_id',
    body: { ...customerOf('User-{$inputs.tag}@example.com'), enabled: false },
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
          [error('firstName')]: 'First name must be at least 2 characters long.',
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
function lifeOf({ id, collection, single, parameter, ...resource }: Resource): StoreWorkflow {
  const path = { [parameter]: '$steps.create.outputs.id' };
  const at = (method: 'GET' | 'PUT' | 'PATCH' | 'DELETE') => `${method} ${single}` as const;
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

/** Workflows of records: they need no catalogue. */
export const recordProbes: readonly StoreWorkflow[] = resources.map(lifeOf);

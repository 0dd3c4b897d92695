import * as z from 'zod';
import type { ContractRow, EndpointName } from '../../contract.ts';
import type { ApiDefinition, ApiEndpoint } from '../../engine/definition/api.ts';
import { setUpsFor } from '../given/given.ts';
import { memoized } from '../../engine/lib/memoized.ts';
import type { StoreOffice } from '../office/store-office.ts';
import { typedContract } from '../resources/index.ts';
import { extensionResources } from '../given/extension-records.ts';
import type { Endpoint, EndpointRow } from '../../engine/rest/endpoint.ts';
import { jsonForm, type Form } from '../../engine/rest/form.ts';
import type { StoreControlContext } from './endpoint.ts';

const Id = z.int().min(1);
const Address = z.record(z.string(), z.union([z.string(), z.int(), z.null()]));

const ownOrderValues = {
  channel: Id.optional().describe('Id of the channel (default: the first one)'),
  user: Id.optional().describe('Id of the customer (default: the first one)'),
  currency: z.string().optional().describe('ISO 4217 code (default: the first one of the channel)'),
  items: z
    .array(
      z.strictObject({
        variant: Id.describe('Id of the variant'),
        quantity: z.int().min(1).optional().describe('Number of pieces (default: 1)'),
        unitPrice: z.int().optional().describe('Price of one piece in minor units (cents)'),
      }),
    )
    .optional()
    .describe('Default: one piece of the first variant'),
  coupons: z.array(z.string()).optional().describe('Codes of coupons to add to the cart'),
  shippingAddress: Address.optional().describe(
    'Fields that differ from those of a default address',
  ),
  billingAddress: Address.optional().describe(
    'Address that the invoice goes to, with all fields (default: the shipping address)',
  ),
  shippingMethod: Id.optional().describe('For every shipment'),
  paymentMethod: Id.optional().describe('Id of the payment method (default: one that is offered)'),
  card: z.string().optional().describe('A card number (default: one that is approved)'),
};

function orderValues(steps: ApiDefinition['steps']) {
  const taken = steps.flatMap(({ name, to }) => (to === undefined ? [] : [{ name, to }]));
  const names = taken.map(({ name }) => name).join(', ');
  const states = ['cart', ...taken.map(({ to }) => to)].join(', ');
  return z.strictObject({
    awaits: z
      .string()
      .optional()
      .describe(`The step that it awaits: ${names} (default: \`addressing\`)`),
    at: z
      .string()
      .optional()
      .describe(
        `In place of \`awaits\`, its \`checkout_state\`, which is the step that is done: ${states}`,
      ),
    ...ownOrderValues,
  });
}

const contract: readonly ContractRow[] = typedContract;

function nameOf({ method, path }: Pick<ApiEndpoint, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Returns `given` over HTTP: the endpoints that create records for a test, with defaults for all values. */
export function givenEndpoints(api: ApiDefinition): readonly EndpointRow<never>[] {
  const rows = new Map(api.endpoints.map((row) => [nameOf(row), row] as const));
  // One that begins from nothing has none of them.
  const hasStore = contract.every((row) => rows.has(nameOf(row)));
  return [
    ...(hasStore ? storeRows.map((row) => storeEndpoint(row, api, rows)) : []),
    ...extensionResources(api).map(({ name, singular, row }) =>
      setUpEndpoint(name, row.answer, {
        summary: `Create a ${singular} for a test, with defaults for all values`,
        isExtension: true,
        body: valuesOf(row),
        handle: ({ office, body }) => givenIn(office()).extensions[name]?.({ ...body }),
      }),
    ),
  ];
}

/** Returns the endpoint of a function of `given`. */
function setUpEndpoint(
  name: string,
  answer: ApiEndpoint['answer'],
  row: Pick<SetUpEndpoint, 'summary' | 'isExtension' | 'body' | 'handle'>,
  values: object = {},
): SetUpEndpoint {
  const path = `/_backlot/given/${name}` as const;
  return {
    ...row,
    method: 'POST',
    path,
    operationId: `setUp${name.replace(/^an?(?=[A-Z])/, '')}`,
    status: 201,
    answer,
    errors: ['invalid', 'refused', 'missing'],
    example: { url: path, body: { ...values } },
  };
}

type SetUpEndpoint = Endpoint<StoreControlContext, `/_backlot/given/${string}`, unknown, object>;

interface StoreRow {
  readonly name: 'aUser' | 'aProduct' | 'aStockLocation' | 'aChannel' | 'aCoupon' | 'anOrder';
  readonly summary: string;
  /** The endpoint with the same response, which has the parameters as well unless it reads. */
  readonly like: EndpointName;
  /** Values that only `given` has. */
  readonly own?: z.ZodRawShape;
  /** The body of the example. */
  readonly values: object;
}

function storeEndpoint(
  { name, summary, like, own, values }: StoreRow,
  { steps }: ApiDefinition,
  rows: ReadonlyMap<string, ApiEndpoint>,
): SetUpEndpoint {
  const row = rows.get(like);
  const body = name === 'anOrder' ? jsonForm(orderValues(steps)) : valuesOf(row, own);
  return setUpEndpoint(
    name,
    row?.answer,
    { summary, body, handle: ({ office, body: sent }) => givenIn(office()).store[name](sent) },
    values,
  );
}

const storeRows: readonly StoreRow[] = [
  {
    name: 'aUser',
    summary: 'Create a user for a test, with defaults for all values',
    like: 'POST /api/users/',
    values: { firstName: 'Grace' },
  },
  {
    name: 'aProduct',
    summary: 'Create a product for a test, and its stock at the first enabled stock location',
    like: 'POST /api/products/',
    own: {
      stock: z
        .int()
        .min(0)
        .optional()
        .describe('Pieces at the first enabled stock location (default: stock is not tracked)'),
    },
    values: { name: 'Mug', price: 1200, stock: 3 },
  },
  {
    name: 'aStockLocation',
    summary: 'Create a stock location for a test',
    like: 'POST /api/stock-locations/',
    values: { name: 'Attic' },
  },
  {
    name: 'aChannel',
    summary: 'Create a channel for a test',
    like: 'POST /api/channels/',
    values: { name: 'Fair' },
  },
  {
    name: 'aCoupon',
    summary: 'Create a coupon for a test, by default of the first promotion that requires coupons',
    like: 'POST /api/promotions/:promotion_id/coupons/',
    own: {
      promotion: Id.optional().describe(
        'Id of the promotion (default: the first one that requires coupons)',
      ),
    },
    values: { code: 'FAIR' },
  },
  {
    name: 'anOrder',
    summary: 'Create an order for a test, at any step of the checkout',
    like: 'GET /api/orders/:order_id/',
    values: { awaits: 'payment' },
  },
];

/** Returns a form for some values of an endpoint of the store API, which validates them itself. */
function valuesOf(row: ApiEndpoint | undefined, own: z.ZodRawShape = {}): Form<object> {
  const shape = row?.body?.schema.shape;
  const documented = jsonForm(z.strictObject({ ...shape, ...own }).partial());
  const loose = jsonForm(z.looseObject(own));
  return { ...documented, parse: (...all) => loose.parse(...all) };
}

/** Memoized, because default names and codes are numbered. */
const givenIn = memoized((office: StoreOffice) => setUpsFor(office));

import * as z from 'zod';
import type { AnswerOf, ContractRow, EndpointName } from '../../contract.ts';
import type { ApiDefinition, ApiEndpoint } from '../../engine/definition/api.ts';
import { viewName } from '../../engine/extend/resource-parts.ts';
import { givenFor, type Given, type GivenOrder } from '../given/given.ts';
import type { StoreOffice } from '../store-office.ts';
import { typedContract } from '../resources/index.ts';
import { ownResources, type OwnResource, type SetUp } from '../given/own-records.ts';
import type { EndpointRow } from '../../engine/rest/endpoint.ts';
import { jsonForm, type Form } from '../../engine/rest/form.ts';
import { endpoint } from './endpoint.ts';

const Id = z.int().min(1);
const Address = z.record(z.string(), z.union([z.string(), z.int(), z.null()]));

const values = {
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
    ...values,
  });
}

const errors = ['invalid', 'refused', 'missing'] as const;

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
    ...(hasStore ? storeEndpoints(api.steps, rows) : []),
    ...ownResources(api).map(ownEndpoint),
  ];
}

function ownEndpoint({ name, singular, row }: OwnResource): EndpointRow<never> {
  return endpoint({
    method: 'POST',
    path: `/_backlot/given/${name}`,
    operationId: `setUp${viewName(singular)}`,
    summary: `Create a ${singular} for a test, with defaults for all values`,
    isExtension: true,
    body: valuesOf(row),
    status: 201,
    answer: row.answer,
    errors,
    example: { url: `/_backlot/given/${name}`, body: {} },
    handle({ office, body }) {
      const given: object = givenIn(office());
      return (given as Readonly<Record<string, SetUp>>)[name]?.(body);
    },
  });
}

type Rows = ReadonlyMap<string, ApiEndpoint>;

function storeEndpoints(steps: ApiDefinition['steps'], rows: Rows) {
  return [...mainEndpoints(rows), ...otherEndpoints(steps, rows)];
}

function mainEndpoints(rows: Rows) {
  return [
    endpoint({
      method: 'POST',
      path: '/_backlot/given/aUser',
      operationId: 'setUpUser',
      summary: 'Create a user for a test, with defaults for all values',
      body: valuesOf(rows.get('POST /api/users/')),
      status: 201,
      answer: answerOf(rows, 'POST /api/users/'),
      errors,
      example: { url: '/_backlot/given/aUser', body: { firstName: 'Grace' } },
      handle: ({ office, body }) => givenIn(office()).aUser(body),
    }),
    endpoint({
      method: 'POST',
      path: '/_backlot/given/aProduct',
      operationId: 'setUpProduct',
      summary: 'Create a product for a test, and its stock at the first enabled stock location',
      body: valuesOf(rows.get('POST /api/products/'), {
        stock: z
          .int()
          .min(0)
          .optional()
          .describe('Pieces at the first enabled stock location (default: stock is not tracked)'),
      }),
      status: 201,
      answer: answerOf(rows, 'POST /api/products/'),
      errors,
      example: { url: '/_backlot/given/aProduct', body: { name: 'Mug', price: 1200, stock: 3 } },
      handle: ({ office, body }) => givenIn(office()).aProduct(body),
    }),
    endpoint({
      method: 'POST',
      path: '/_backlot/given/aStockLocation',
      operationId: 'setUpStockLocation',
      summary: 'Create a stock location for a test',
      body: valuesOf(rows.get('POST /api/stock-locations/')),
      status: 201,
      answer: answerOf(rows, 'POST /api/stock-locations/'),
      errors,
      example: { url: '/_backlot/given/aStockLocation', body: { name: 'Attic' } },
      handle: ({ office, body }) => givenIn(office()).aStockLocation(body),
    }),
  ];
}

function otherEndpoints(steps: ApiDefinition['steps'], rows: Rows) {
  return [
    endpoint({
      method: 'POST',
      path: '/_backlot/given/aChannel',
      operationId: 'setUpChannel',
      summary: 'Create a channel for a test',
      body: valuesOf(rows.get('POST /api/channels/')),
      status: 201,
      answer: answerOf(rows, 'POST /api/channels/'),
      errors,
      example: { url: '/_backlot/given/aChannel', body: { name: 'Fair' } },
      handle: ({ office, body }) => givenIn(office()).aChannel(body),
    }),
    endpoint({
      method: 'POST',
      path: '/_backlot/given/aCoupon',
      operationId: 'setUpCoupon',
      summary:
        'Create a coupon for a test, by default of the first promotion that requires coupons',
      body: valuesOf(rows.get('POST /api/promotions/:promotion_id/coupons/'), {
        promotion: Id.optional().describe(
          'Id of the promotion (default: the first one that requires coupons)',
        ),
      }),
      status: 201,
      answer: answerOf(rows, 'POST /api/promotions/:promotion_id/coupons/'),
      errors,
      example: { url: '/_backlot/given/aCoupon', body: { code: 'FAIR' } },
      handle: ({ office, body }) => givenIn(office()).aCoupon(body),
    }),
    endpoint({
      method: 'POST',
      path: '/_backlot/given/anOrder',
      operationId: 'setUpOrder',
      summary: 'Create an order for a test, at any step of the checkout',
      body: jsonForm(orderValues(steps)),
      status: 201,
      answer: answerOf(rows, 'GET /api/orders/:order_id/'),
      errors,
      example: { url: '/_backlot/given/anOrder', body: { awaits: 'payment' } },
      handle: ({ office, body }) => givenIn(office()).anOrder(body as GivenOrder),
    }),
  ];
}

function answerOf<Name extends EndpointName>(rows: Rows, name: Name): z.ZodType<AnswerOf<Name>> {
  return rows.get(name)?.answer as z.ZodType<AnswerOf<Name>>;
}

/** Returns a form for some values of an endpoint of the store API, which validates them itself. */
function valuesOf(
  row: ApiEndpoint | undefined,
  own: z.ZodRawShape = {},
): Form<Record<string, never>> {
  const shape = row?.body?.schema.shape;
  const documented = jsonForm(z.strictObject({ ...shape, ...own }).partial());
  const loose = jsonForm(z.looseObject(own));
  return { ...documented, parse: (...all) => loose.parse(...all) } as Form<Record<string, never>>;
}

/** Kept for each back office, because default names and codes are numbered. */
const givenByOffice = new WeakMap<StoreOffice, Given>();

function givenIn(office: StoreOffice): Given {
  const known = givenByOffice.get(office) ?? givenFor(office);
  givenByOffice.set(office, known);
  return known;
}

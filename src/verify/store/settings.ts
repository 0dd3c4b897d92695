import * as z from 'zod';
import type { ParsedResponse, ServerCheck } from '../../engine/definition/drift.ts';
import type { WorkflowStep } from '../../engine/definition/workflow.ts';
import { unixSeconds } from '../drift/finding.ts';
import { itemsIn } from '../drift/pages.ts';
import { valueAt } from '../../engine/lib/json-value.ts';
import { jsonRequest } from '../drift/json-request.ts';
import { addressIn, customerOf, product } from '../../shop/workflows/steps.ts';

/**
 * Settings that are not found out: clients see them only after days, with data that few servers have (a promotion that
 * counts items, an address in no zone), or not at all.
 */
export const hidden = [
  'pendingLifetime',
  'itemCount',
  'defaultTaxZone',
  'journalSize',
  'maxBodyBytes',
];

const Time = z.string().refine((time) => !Number.isNaN(unixSeconds(time)));

const Order = z.object({
  id: z.number(),
  state: z.string(),
  items: z.array(z.object({ unit_price: z.number(), quantity: z.number(), total: z.number() })),
  created_at: Time,
  updated_at: Time,
  expires_at: Time,
});
type OrderBody = z.output<typeof Order>;

/**
 * Finds out settings by requests that only read.
 *
 * @param willWrite whether carts will be opened, which show more than those of others: settings may have changed
 */
export async function findReadSettings(check: ServerCheck, willWrite: boolean): Promise<void> {
  const limit = 1_000_000_000;
  const large = await check.get(`/api/channels/?limit=${limit}`);
  const maxLimit = valueAt(large.json, ['limit']);
  if (typeof maxLimit === 'number' && maxLimit > 0) check.set({ maxLimit });
  const unknown = await check.get('/api/users/?criteria[unknown]=1');
  if (unknown.status === 400) check.set({ unknownParameters: 'reject' });
  if (unknown.status === 200) check.set({ unknownParameters: 'ignore' });
  const orders = ordersIn(await check.get('/api/orders/?limit=30'));
  if (orders.some(({ state }) => state === 'cart')) check.set({ listCarts: true });
  if (willWrite) return;
  const newest = orders.toSorted((a, b) => b.id - a.id)[0];
  if (newest !== undefined) check.set({ cartLifetime: lifetimeOf(newest) });
  for (const cart of orders.filter(({ state }) => state === 'cart')) {
    if (unixSeconds(cart.updated_at) > unixSeconds(cart.expires_at))
      check.set({ expiry: 'ignore' });
    const totals = totalsOf(cart);
    if (totals !== undefined && check.settings['totals'] === undefined) check.set({ totals });
  }
  const abandoned = orders.filter(({ state }) => state === 'abandoned');
  if (abandoned.some((one) => unixSeconds(one.updated_at) >= unixSeconds(one.expires_at))) {
    check.set({ expiry: 'abandon' });
  }
}

function ordersIn({ status, json }: ParsedResponse): readonly OrderBody[] {
  const items = valueAt(json, ['_embedded', 'items']);
  if (status !== 200 || !Array.isArray(items)) return [];
  return items.flatMap((one) => orderIn(one) ?? []);
}

function orderIn(value: unknown): OrderBody | undefined {
  // The issues of 40,000 records that are no orders would take 50 MB.
  return Array.isArray(valueAt(value, ['items'])) ? Order.safeParse(value).data : undefined;
}

/** `PT3H` */
function lifetimeOf({ created_at, expires_at }: OrderBody): string {
  const seconds = unixSeconds(expires_at) - unixSeconds(created_at);
  if (seconds % 86_400 === 0 && seconds > 0) return `P${seconds / 86_400}D`;
  if (seconds % 3600 === 0) return `PT${seconds / 3600}H`;
  return seconds % 60 === 0 ? `PT${seconds / 60}M` : `PT${seconds}S`;
}

/** Returns undefined if the totals would be 0 either way. */
function totalsOf({ items }: OrderBody): 'at-steps' | 'live' | undefined {
  const priced = items.filter(({ unit_price, quantity }) => unit_price * quantity > 0);
  if (priced.length === 0) return undefined;
  return priced.every(({ total }) => total === 0) ? 'at-steps' : 'live';
}

/** Records that a probe may use. */
export interface Catalogue {
  readonly channel: number;
  readonly currency: string;
  readonly country: number;
  /** Variants of different products. */
  readonly variants: readonly number[];
}

/** Finds out settings by opening and changing carts of a new customer. All of them are deleted at the end. */
export async function findWriteSettings(check: ServerCheck, catalogue: Catalogue): Promise<void> {
  const { channel, currency } = catalogue;
  const [user, variant] = await Promise.all([createCustomer(check), createVariant(check)]);
  if (user === undefined || variant === undefined) return;
  const cart = { channel, user, currency };
  await findUnknownParameters(check, cart);
  const opened = await post(check, '/api/orders/', cart);
  const order = idOf(opened);
  if (order === undefined) return;
  const cartBody = orderIn(opened.json);
  if (cartBody !== undefined) check.set({ cartLifetime: lifetimeOf(cartBody) });
  await findMoney(check, order, variant);
  await findListing(check, order);
  await findBackorders(check, order, catalogue.variants.slice(0, 4));
  await findStepBack(check, order, catalogue.country);
}

async function createCustomer(check: ServerCheck): Promise<number | undefined> {
  return idOf(await post(check, '/api/users/', customerOf(`settings-${check.tag}@example.com`)));
}

/** Returns the id of the variant of a new product, whose stock is not tracked. */
async function createVariant(check: ServerCheck): Promise<number | undefined> {
  const { json } = await post(check, '/api/products/', product);
  return itemsIn([valueAt(json, ['masterVariant'])])[0]?.id;
}

async function findUnknownParameters(check: ServerCheck, cart: object): Promise<void> {
  const { status } = await post(check, '/api/orders/', { ...cart, unknownParameter: 1 });
  if (status === 400) check.set({ unknownParameters: 'reject' });
  if (status === 201) check.set({ unknownParameters: 'ignore' });
}

/** Finds out the unit of amounts in requests, and when a cart gets its totals. */
async function findMoney(check: ServerCheck, order: number, variant: number): Promise<void> {
  const items = `/api/orders/${order}/items/`;
  const decimal = await post(check, items, { variant, unitPrice: 10.5, quantity: 1 });
  const price = valueAt(decimal.json, ['unit_price']);
  if (decimal.status === 400) check.set({ requestMoney: 'minor' });
  if (decimal.status === 201 && price === 1050) check.set({ requestMoney: 'major' });
  await post(check, items, { variant, unitPrice: 1000, quantity: 1 });
  const { json } = await check.get(`/api/orders/${order}/`);
  const shown = orderIn(json);
  const totals = shown && totalsOf(shown);
  if (totals !== undefined) check.set({ totals });
}

/** Finds out whether the list of orders has a cart. */
async function findListing(check: ServerCheck, order: number): Promise<void> {
  const listed = ordersIn(await check.get('/api/orders/?sorting[id]=desc&limit=10'));
  check.set({ listCarts: listed.some(({ id }) => id === order) });
}

/**
 * Orders more than a shop has of variants, until one is rejected. A variant whose stock is not tracked is never
 * rejected.
 */
async function findBackorders(
  check: ServerCheck,
  order: number,
  variants: readonly number[],
): Promise<void> {
  const items = `/api/orders/${order}/items/`;
  // Each unit is an object in the response, so the large quantity is asked for once.
  const wanted = [
    ...variants.map((variant) => ({ variant, quantity: 1000 })),
    ...variants.slice(0, 1).map((variant) => ({ variant, quantity: 10_000 })),
  ];
  for (const one of wanted) {
    const seen = await post(check, items, { ...one, unitPrice: 0 });
    if (seen.status === 400 && seen.body.includes('on hand')) {
      check.set({ backorders: false });
      return;
    }
    if (seen.status === 201) check.set({ backorders: true });
    const item = idOf(seen);
    if (item !== undefined) await check.ask({ method: 'DELETE', url: `${items}${item}` });
  }
}

/** Finds out whether a step that was taken can be taken again. */
async function findStepBack(check: ServerCheck, order: number, country: number): Promise<void> {
  const shippingAddress = addressIn(country);
  const request = jsonRequest('PUT', `/api/checkouts/${order}`, { shippingAddress });
  const first = await check.ask(request);
  if (first.status !== 200) return;
  const again = await check.ask(request);
  if (again.status === 200) check.set({ stepBack: true });
  if (again.status === 400) check.set({ stepBack: false });
}

function post(check: ServerCheck, url: string, body: object): Promise<ParsedResponse> {
  return check.ask(jsonRequest('POST', url, body));
}

/** Finds out what the workflows show: the status of a declined card, and prices at confirm. */
export function findInWorkflows(
  check: ServerCheck,
  { id }: WorkflowStep,
  seen: ParsedResponse,
): void {
  if (id === 'payWithDeclinedCard' && (seen.status === 200 || seen.status === 402)) {
    check.set({ declinedStatus: seen.status });
  }
  const confirmed = id === 'confirmOtherPrice' ? orderIn(seen.json) : undefined;
  if (confirmed === undefined) return;
  const sent = check.settings.requestMoney === 'major' ? 100_000 : 1000;
  check.set({ repriceAtConfirm: confirmed.items[0]?.unit_price !== sent });
}

function idOf({ status, json }: ParsedResponse): number | undefined {
  const id = valueAt(json, ['id']);
  return status === 201 && typeof id === 'number' ? id : undefined;
}

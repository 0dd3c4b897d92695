import type { Settings } from '../../shop/scenario.ts';
import type { Inspection, Seen } from './inspection.ts';
import { itemsIn } from './items.ts';
import { unixSeconds, type SentRequest } from './finding.ts';

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

interface OrderBody {
  readonly id: number;
  readonly state: string;
  readonly items: readonly {
    readonly unit_price: number;
    readonly quantity: number;
    readonly total: number;
  }[];
  readonly total: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string;
}

/**
 * Finds out settings by requests that only read.
 *
 * @param willWrite whether carts will be opened, which show more than those of others: settings may have changed
 */
export async function findReadSettings(inspection: Inspection, willWrite: boolean): Promise<void> {
  const set = setter(inspection);
  const limit = 1_000_000_000;
  const large = await inspection.get(`/api/channels/?limit=${limit}`);
  const page = large.json as { limit?: unknown } | null | undefined;
  if (typeof page?.limit === 'number' && page.limit > 0) set({ maxLimit: page.limit });
  const unknown = await inspection.get('/api/users/?criteria[unknown]=1');
  if (unknown.status === 400) set({ unknownParameters: 'reject' });
  if (unknown.status === 200) set({ unknownParameters: 'ignore' });
  const orders = ordersIn(await inspection.get('/api/orders/?limit=30'));
  if (orders.some(({ state }) => state === 'cart')) set({ listCarts: true });
  if (willWrite) return;
  const newest = orders.toSorted((a, b) => b.id - a.id)[0];
  if (newest !== undefined) set({ cartLifetime: lifetimeOf(newest) });
  for (const cart of orders.filter(({ state }) => state === 'cart')) {
    if (unixSeconds(cart.updated_at) > unixSeconds(cart.expires_at)) set({ expiry: 'ignore' });
    const totals = totalsOf(cart);
    if (totals !== undefined && inspection.settings.totals === undefined) set({ totals });
  }
  const abandoned = orders.filter(({ state }) => state === 'abandoned');
  if (abandoned.some((one) => unixSeconds(one.updated_at) >= unixSeconds(one.expires_at))) {
    set({ expiry: 'abandon' });
  }
}

function setter({ settings, fixed }: Inspection): (found: Partial<Settings>) => void {
  return (found) => {
    for (const [name, value] of Object.entries(found)) {
      if (!fixed.has(name)) Object.assign(settings, { [name]: value });
    }
  };
}

function ordersIn({ status, json }: Seen): readonly OrderBody[] {
  const items = (json as { _embedded?: { items?: unknown } } | null | undefined)?._embedded?.items;
  if (status !== 200 || !Array.isArray(items)) return [];
  return (items as OrderBody[]).filter((one) => isOrder(one));
}

function isOrder(value: unknown): value is OrderBody {
  const order = value as OrderBody | null | undefined;
  return (
    typeof order?.id === 'number' &&
    Array.isArray(order.items) &&
    order.items.every((item) => typeof item === 'object' && item !== null) &&
    [order.created_at, order.updated_at, order.expires_at].every(
      (time) => typeof time === 'string' && !Number.isNaN(unixSeconds(time)),
    )
  );
}

/** `PT3H` */
function lifetimeOf({ created_at, expires_at }: OrderBody): string {
  const seconds = unixSeconds(expires_at) - unixSeconds(created_at);
  if (seconds % 86_400 === 0 && seconds > 0) return `P${seconds / 86_400}D`;
  if (seconds % 3600 === 0) return `PT${seconds / 3600}H`;
  return seconds % 60 === 0 ? `PT${seconds / 60}M` : `PT${seconds}S`;
}

/** Returns undefined if the totals would be 0 either way. */
function totalsOf({ items }: OrderBody): Settings['totals'] | undefined {
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
export async function findWriteSettings(
  inspection: Inspection,
  catalogue: Catalogue,
): Promise<void> {
  const { channel, currency } = catalogue;
  const [user, variant] = await Promise.all([
    createCustomer(inspection),
    createVariant(inspection),
  ]);
  if (user === undefined || variant === undefined) return;
  const cart = { channel, user, currency };
  await findUnknownParameters(inspection, cart);
  const opened = await post(inspection, '/api/orders/', cart);
  const order = idOf(opened);
  if (order === undefined) return;
  if (isOrder(opened.json)) setter(inspection)({ cartLifetime: lifetimeOf(opened.json) });
  await findMoney(inspection, order, variant);
  await findListing(inspection, order);
  await findBackorders(inspection, order, catalogue.variants.slice(0, 4));
  await findStepBack(inspection, order, catalogue.country);
}

async function createCustomer(inspection: Inspection): Promise<number | undefined> {
  const body = {
    firstName: 'Rosa',
    lastName: 'Lindqvist',
    email: `settings-${inspection.tag}@example.com`,
    plainPassword: 'correct horse',
  };
  return idOf(await post(inspection, '/api/users/', body));
}

/** Returns the id of the variant of a new product, whose stock is not tracked. */
async function createVariant(inspection: Inspection): Promise<number | undefined> {
  const body = { name: 'Enamel cup', description: 'A cup for the trail.', price: 1490 };
  const { json } = await post(inspection, '/api/products/', body);
  const { masterVariant } = (json ?? {}) as { masterVariant?: unknown };
  return itemsIn([masterVariant])[0]?.id;
}

async function findUnknownParameters(inspection: Inspection, cart: object): Promise<void> {
  const { status } = await post(inspection, '/api/orders/', { ...cart, unknownParameter: 1 });
  if (status === 400) setter(inspection)({ unknownParameters: 'reject' });
  if (status === 201) setter(inspection)({ unknownParameters: 'ignore' });
}

/** Finds out the unit of amounts in requests, and when a cart gets its totals. */
async function findMoney(inspection: Inspection, order: number, variant: number): Promise<void> {
  const set = setter(inspection);
  const items = `/api/orders/${order}/items/`;
  const decimal = await post(inspection, items, { variant, unitPrice: 10.5, quantity: 1 });
  const price = (decimal.json as { unit_price?: unknown } | null | undefined)?.unit_price;
  if (decimal.status === 400) set({ requestMoney: 'minor' });
  if (decimal.status === 201 && price === 1050) set({ requestMoney: 'major' });
  await post(inspection, items, { variant, unitPrice: 1000, quantity: 1 });
  const { json } = await inspection.get(`/api/orders/${order}/`);
  const totals = isOrder(json) ? totalsOf(json) : undefined;
  if (totals !== undefined) set({ totals });
}

/** Finds out whether the list of orders has a cart. */
async function findListing(inspection: Inspection, order: number): Promise<void> {
  const listed = ordersIn(await inspection.get('/api/orders/?sorting[id]=desc&limit=10'));
  setter(inspection)({ listCarts: listed.some(({ id }) => id === order) });
}

/**
 * Orders more than a shop has of variants, until one is rejected. A variant whose stock is not tracked is never
 * rejected.
 */
async function findBackorders(
  inspection: Inspection,
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
    const seen = await post(inspection, items, { ...one, unitPrice: 0 });
    if (seen.status === 400 && seen.body.includes('on hand')) {
      setter(inspection)({ backorders: false });
      return;
    }
    if (seen.status === 201) setter(inspection)({ backorders: true });
    const item = idOf(seen);
    if (item !== undefined) await inspection.ask({ method: 'DELETE', url: `${items}${item}` });
  }
}

/** Finds out whether a step that was taken can be taken again. */
async function findStepBack(inspection: Inspection, order: number, country: number): Promise<void> {
  const shippingAddress = {
    firstName: 'Rosa',
    lastName: 'Lindqvist',
    street: 'Quay Street 11',
    city: 'Galway',
    postcode: 'H91 XY7R',
    country,
  };
  const request = jsonRequest('PUT', `/api/checkouts/${order}`, { shippingAddress });
  const first = await inspection.ask(request);
  if (first.status !== 200) return;
  const again = await inspection.ask(request);
  if (again.status === 200) setter(inspection)({ stepBack: true });
  if (again.status === 400) setter(inspection)({ stepBack: false });
}

function post(inspection: Inspection, url: string, body: object): Promise<Seen> {
  return inspection.ask(jsonRequest('POST', url, body));
}

/** Finds out what the workflows show: the status of a declined card, and prices at confirm. */
export function findInWorkflows(inspection: Inspection, step: string, seen: Seen): void {
  const set = setter(inspection);
  if (step === 'payWithDeclinedCard' && (seen.status === 200 || seen.status === 402)) {
    set({ declinedStatus: seen.status });
  }
  if (step === 'confirmOtherPrice' && isOrder(seen.json)) {
    const sent = inspection.settings.requestMoney === 'major' ? 100_000 : 1000;
    set({ repriceAtConfirm: seen.json.items[0]?.unit_price !== sent });
  }
}

export function jsonRequest(method: string, url: string, body?: object): SentRequest {
  return {
    method,
    url,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  };
}

function idOf({ status, json }: Seen): number | undefined {
  const { id } = (json ?? {}) as { id?: unknown };
  return status === 201 && typeof id === 'number' ? id : undefined;
}

import type { Item, Login, ProbeRun, ServerCheck } from '../../engine/definition/drift.ts';
import { needsControlApi, type WorkflowStep } from '../../engine/definition/workflow.ts';
import { itemsIn, pageIn } from '../drift/pages.ts';
import { jsonRequest } from '../drift/json-request.ts';
import { valueAt } from '../../engine/lib/json-value.ts';
import { truncate } from '../../engine/lib/problem.ts';
import { oauth } from '../../shop/workflows/accounts.ts';
import { workflows } from '../../shop/workflows/index.ts';
import { orderProbes } from './order-probes.ts';
import { checkRecords } from './record-probes.ts';
import { findWriteSettings, type Catalogue } from './settings.ts';

/** Finds out settings, checks records, and returns the workflows to run: those of orders and of tokens. */
export async function findProbes(
  check: ServerCheck,
  login: Login | undefined,
): Promise<readonly (readonly ProbeRun[])[]> {
  const catalogue = await findCatalogue(check);
  if (typeof catalogue !== 'string') await findWriteSettings(check, catalogue);
  await checkRecords(check);
  const orders = await ordersOf(check, catalogue);
  if (login === undefined)
    check.notes.push('Tokens were not requested, because no user was given.');
  const tokens = login === undefined ? [] : [{ workflow: oauth, inputs: { ...login } }];
  return [orders, tokens];
}

/** Returns records that the workflows need, or the reason why there are none. */
async function findCatalogue(
  check: ServerCheck,
): Promise<(Catalogue & { readonly paymentMethod: number }) | string> {
  const [channel] = await firstOf(check, 'channels');
  const [payment] = await firstOf(check, 'payment-methods');
  const orders = await firstOf(check, 'orders');
  const products = await firstOf(check, 'products');
  const currency = currencyOf(channel);
  const country = countryOf(orders) ?? (await countryWithoutProvinces(check));
  const variants = products
    .flatMap(({ masterVariant }) => itemsIn([masterVariant]))
    .map(({ id }) => id);
  if (channel === undefined || currency === undefined) return 'there is no channel with a currency';
  if (country === undefined) return 'there is no country without provinces';
  if (payment === undefined) return 'there is no payment method';
  return { channel: channel.id, currency, country, variants, paymentMethod: payment.id };
}

async function firstOf(check: ServerCheck, name: string): Promise<readonly Item[]> {
  const page = pageIn(await check.get(`/api/${name}/?limit=15`));
  return page?.items ?? [];
}

function currencyOf(channel: Item | undefined): string | undefined {
  const [currency] = itemsIn(channel?.['currencies']);
  const code = currency?.['code'];
  return typeof code === 'string' ? code : undefined;
}

/** Returns the country that most orders are shipped to without a province. */
function countryOf(orders: readonly Item[]): number | undefined {
  const ids = orders.flatMap((order) => {
    const links = ['shipping_address', '_links'];
    const href = valueAt(order, [...links, 'country', 'href']);
    const id = Number(typeof href === 'string' && /(?<!\d)\d+$/.exec(href)?.[0]);
    return id === 0 || valueAt(order, [...links, 'province']) !== undefined ? [] : [id];
  });
  const groups = [...Map.groupBy(ids, (id) => id)].toSorted(([, a], [, b]) => b.length - a.length);
  return groups[0]?.[0];
}

async function countryWithoutProvinces(check: ServerCheck): Promise<number | undefined> {
  const page = pageIn(await check.get('/api/countries/?limit=300'));
  return page?.items.find(({ provinces }) => itemsIn(provinces).length === 0)?.id;
}

async function ordersOf(
  check: ServerCheck,
  catalogue: Awaited<ReturnType<typeof findCatalogue>>,
): Promise<ProbeRun[]> {
  if (typeof catalogue === 'string') {
    check.notes.push(`Orders were not opened, because ${catalogue}.`);
    return [];
  }
  if (!(await canShip(check, catalogue))) return [];
  const { currency, country, paymentMethod, variants } = catalogue;
  const [variant, other = variant] = variants;
  const own = workflows.filter((one) => !needsControlApi(one) && one.id !== oauth.id);
  return [...own, ...orderProbes].flatMap((workflow, index) => {
    if (workflow.id === 'catalogueOrder' && (variant === undefined || !canOrderAll(check)))
      return [];
    const inputs = {
      email: `workflow${index}-${check.tag}@example.com`,
      currency,
      country,
      paymentMethod,
      ...(variant !== undefined && other !== undefined && { first: variant, second: other }),
    };
    return [{ workflow, inputs }];
  });
}

/** Whether an order can be shipped: opens a cart and reads the shipping methods. */
async function canShip(check: ServerCheck, catalogue: Catalogue): Promise<boolean> {
  const { json } = await check.get('/api/shipping-methods/?limit=1');
  if (valueAt(json, ['total']) !== 0) return catalogue.country > 0;
  check.notes.push('Orders were not opened, because there is no shipping method.');
  return false;
}

/** Whether items of the catalogue can be ordered, whatever their stock. */
function canOrderAll({ settings, notes }: ServerCheck): boolean {
  if (settings['backorders'] !== false) return true;
  notes.push('Taxes were not checked, because the stock of the catalogue limits orders.');
  return false;
}

/**
 * Returns a note if a purchase had an outcome that the payment provider decides: later, or without test cards. The order must
 * still await its payment.
 */
export function otherOutcome({ body, endpoint }: WorkflowStep, json: unknown): string | undefined {
  if (!endpoint.startsWith('PUT /api/checkouts/') || body?.['number'] === undefined) return;
  if (valueAt(json, ['state']) !== 'pending') return;
  if (valueAt(json, ['checkout_state']) !== 'finalize') return;
  const state = itemsIn(valueAt(json, ['payments'])).at(-1)?.['state'];
  const others: readonly unknown[] = ['processing', 'authorized', 'unknown', 'failed'];
  return others.includes(state)
    ? `A purchase had another outcome than the card's: ${String(state)}.`
    : undefined;
}

export async function tokenOf(
  check: ServerCheck,
  login: Login,
): Promise<{ readonly token: unknown; readonly why: string }> {
  const request = jsonRequest('POST', '/oauth/v2/token', {
    grant_type: 'password',
    client_id: login.clientId,
    client_secret: login.clientSecret,
    username: login.username,
    password: login.password,
  });
  const { json, status } = await check.ask(request);
  const description = valueAt(json, ['error_description']);
  const reason = typeof description === 'string' ? `: ${truncate(description)}` : '';
  return { token: valueAt(json, ['access_token']), why: `, with status ${status}${reason}` };
}

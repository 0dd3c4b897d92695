import { workflows } from '../workflows/index.ts';
import { runWorkflow, type WorkflowRequest } from '../workflows/run.ts';
import { needsControlApi, type Workflow, type WorkflowStep } from '../workflows/workflow.ts';
import type { ApiDefinition, ApiEndpoint } from '../definition/api.ts';
import { inParallel, resourceOf, type Inspection } from './inspection.ts';
import { itemsIn, type Item } from './items.ts';
import { pageIn } from './pages.ts';
import { valueAt } from './shape.ts';
import { orderProbes } from './order-probes.ts';
import { recordProbes } from './record-probes.ts';
import type { Collected } from './link-reads.ts';
import { bodyPath } from './finding.ts';
import { findInWorkflows, jsonRequest, type Catalogue } from './settings.ts';

/** User name and password, for the workflow of tokens. */
export interface Login {
  readonly username: string;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Returns records that the workflows need, or the reason why there are none. */
export async function findCatalogue(
  inspection: Inspection,
  { items }: Pick<Collected, 'items'>,
): Promise<(Catalogue & { readonly paymentMethod: number }) | string> {
  const [channel] = items.get('channels') ?? [];
  const [payment] = items.get('payment-methods') ?? [];
  const currency = currencyOf(channel);
  const country =
    countryOf(items.get('orders') ?? []) ?? (await countryWithoutProvinces(inspection));
  const variants = (items.get('products') ?? [])
    .flatMap(({ masterVariant }) => itemsIn([masterVariant]))
    .map(({ id }) => id);
  if (channel === undefined || currency === undefined) return 'there is no channel with a currency';
  if (country === undefined) return 'there is no country without provinces';
  if (payment === undefined) return 'there is no payment method';
  return { channel: channel.id, currency, country, variants, paymentMethod: payment.id };
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
    const id = Number(typeof href === 'string' && /\d+$/.exec(href)?.[0]);
    return id === 0 || valueAt(order, [...links, 'province']) !== undefined ? [] : [id];
  });
  const groups = [...Map.groupBy(ids, (id) => id)].toSorted(([, a], [, b]) => b.length - a.length);
  return groups[0]?.[0];
}

async function countryWithoutProvinces(inspection: Inspection): Promise<number | undefined> {
  const page = pageIn(await inspection.get('/api/countries/?limit=300'));
  return page?._embedded.items.find(({ provinces }) => itemsIn(provinces).length === 0)?.id;
}

/** Runs the workflows and the probes that write, and checks each response. */
export async function checkWrites(
  inspection: Inspection,
  catalogue: Awaited<ReturnType<typeof findCatalogue>>,
  login: Login | undefined,
): Promise<void> {
  await checkRejections(inspection);
  const { tag } = inspection;
  await inParallel(recordProbes, (probe) => runChecked(inspection, probe, { tag }));
  const others = workflows.filter((one) => !needsControlApi(one) && one.id !== 'oauth');
  if (typeof catalogue === 'string') {
    inspection.notes.push(`Orders were not opened, because ${catalogue}.`);
  } else if (await canShip(inspection, catalogue)) {
    const { currency, country, paymentMethod, variants } = catalogue;
    const [variant, other = variant] = variants;
    await inParallel([...others, ...orderProbes].entries(), async ([index, workflow]) => {
      if (workflow.id === 'catalogueOrder' && (variant === undefined || !canOrderAll(inspection)))
        return;
      const inputs = {
        email: `workflow${index}-${tag}@example.com`,
        currency,
        country,
        paymentMethod,
        ...(variant !== undefined && other !== undefined && { first: variant, second: other }),
      };
      await runChecked(inspection, workflow, inputs);
    });
  }
  const oauth = workflows.find(({ id }) => id === 'oauth');
  if (oauth === undefined) return;
  if (login === undefined)
    inspection.notes.push('Tokens were not requested, because no user was given.');
  else await runChecked(inspection, oauth, { ...login });
}

/** Whether an order can be shipped: opens a cart and reads the shipping methods. */
async function canShip(inspection: Inspection, catalogue: Catalogue): Promise<boolean> {
  const { json } = await inspection.get('/api/shipping-methods/?limit=1');
  const { total } = (json ?? {}) as { total?: unknown };
  if (total !== 0) return catalogue.country > 0;
  inspection.notes.push('Orders were not opened, because there is no shipping method.');
  return false;
}

async function runChecked(
  inspection: Inspection,
  workflow: Workflow,
  inputs: Readonly<Record<string, string | number>>,
): Promise<void> {
  const all = [...workflow.steps, ...workflow.cleanUp];
  if (!all.some(({ endpoint }) => inspection.includes(endpoint.split(' ')[1] ?? ''))) return;
  const send = async (request: WorkflowRequest, { id }: WorkflowStep<string>) => {
    const seen = await inspection.ask(sentRequest(request));
    findInWorkflows(inspection, id, seen);
    return { ...seen, body: seen.json };
  };
  const results = await runWorkflow(workflow, { inputs, send });
  for (const { step, request, response, issues } of results) {
    if (issues.length > 0 && isOtherOutcome(step, response.json)) {
      inspection.notes.push(
        `A purchase had another outcome than the card's: ${outcomeOf(response.json)}.`,
      );
      continue;
    }
    const report = inspection.reporter(sentRequest(request));
    for (const issue of issues) {
      const place = /^Expected (\/\S+) to be/.exec(issue)?.[1];
      const isState = place === undefined ? step.path !== undefined : place.endsWith('state');
      const at = place === undefined ? 'status' : bodyPath(place.split('/').slice(1));
      const why = `in step ${step.id} of the workflow ${workflow.id}`;
      report(
        isState ? 'transition' : 'value',
        at,
        `${issue} (${why})`,
        place === undefined ? response.status : valueAt(response.json, place.split('/').slice(1)),
      );
    }
  }
}

/** Whether items of the catalogue can be ordered, whatever their stock. */
function canOrderAll({ settings, notes }: Inspection): boolean {
  if (settings.backorders !== false) return true;
  notes.push('Taxes were not checked, because the stock of the catalogue limits orders.');
  return false;
}

/**
 * Whether a purchase had an outcome that the payment provider decides: later, or without test cards. The order must
 * still await its payment.
 */
function isOtherOutcome({ body, endpoint }: WorkflowStep<string>, json: unknown): boolean {
  if (!endpoint.startsWith('PUT /api/checkouts/') || body?.['number'] === undefined) return false;
  if (valueAt(json, ['state']) !== 'pending') return false;
  if (valueAt(json, ['checkout_state']) !== 'finalize') return false;
  return ['processing', 'authorized', 'unknown', 'failed'].includes(outcomeOf(json));
}

function outcomeOf(json: unknown): string {
  const state = itemsIn(valueAt(json, ['payments'])).at(-1)?.['state'];
  return typeof state === 'string' ? state : 'unset';
}

function sentRequest({ method, path, headers, body }: WorkflowRequest) {
  const json = jsonRequest(method, path, body as object | undefined);
  const all: Record<string, string | undefined> = { ...json.headers };
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
  return { ...json, headers: all };
}

const unknownId = '999999999';

/** Sends requests that every server must reject, whatever its data: unknown ids, and bodies without what is required. */
async function checkRejections(inspection: Inspection): Promise<void> {
  const isAlike = new Set<string>();
  await inParallel(endpointsOf(inspection.api), async ({ method, path, body, chosenBy }) => {
    if (method === 'GET' || !inspection.includes(path)) return;
    const url = path.replaceAll(/:\w+/g, unknownId);
    const sample = Object.fromEntries((chosenBy ?? []).map((name) => [name, '1']));
    if (path.includes(':')) {
      if (isAlike.has(`${method} ${path}`)) return;
      isAlike.add(`${method} ${path}`);
      await inspection.askForError(jsonRequest(method, url, body && sample));
      return;
    }
    if (body === undefined) return;
    const names = Object.keys(body.children);
    const bodies = [
      {},
      Object.fromEntries(names.map((name) => [name, ''])),
      Object.fromEntries(names.map((name) => [name, { no: 'object' }])),
      Object.fromEntries(names.map((name) => [name, 999_999_999])),
    ];
    for (const sent of bodies) {
      if (path.includes('password-resetting') && 'username' in sent && sent.username !== '')
        continue;
      await inspection.askForError(jsonRequest(method, url, sent));
    }
    await inspection.askForError({ ...jsonRequest(method, url, {}), body: '{"' });
    await inspection.askForError({
      method,
      url,
      headers: { 'content-type': 'text/csv' },
      body: 'a,b',
    });
    await inspection.askForError({
      method,
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${names[0]}=`,
    });
  });
}

/** Returns the endpoints without those of tokens. */
function endpointsOf({ endpoints }: ApiDefinition): readonly ApiEndpoint[] {
  return endpoints.filter(({ path }) => path.startsWith('/api/'));
}

/** Returns the resources that `--only` can name. */
export function resourceNames(api: ApiDefinition): readonly string[] {
  return [...new Set([...endpointsOf(api).map(({ path }) => resourceOf(path)), 'oauth'])];
}

import fc from 'fast-check';
import { storeApi } from '../../src/define.ts';
import type { ApiDefinition } from '../../src/engine/definition/api.ts';
import { builtInNames } from '../../src/engine/scenario/built-in.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { settle } from '../../src/mounts/fetch/office-control.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOffice } from '../../src/shop/office/store-office.ts';
import { company } from './company-api.ts';
import { everyPart } from './every-part-api.ts';
import { act, request, type Act } from './history-acts.ts';
import { caller, type Calls } from './office.ts';

/** The store, and extensions of it. */
export const apis: Readonly<Record<string, ApiDefinition>> = {
  store: storeApi,
  company,
  'every part': everyPart,
};

/** Every scenario but `large`, which takes seconds. */
export const scenarios = builtInNames(storeApi).filter((name) => name !== 'large');

const read = request(
  fc
    .constantFrom('orders/120/', 'orders/?limit=5', 'users/3', 'shipments/104', 'products/3')
    .map((path) => `GET /api/${path}`),
);

/** Bodies that are no JSON. */
const forms: fc.Arbitrary<Act> = fc
  .constantFrom<readonly [type: string, body: string]>(
    ['application/x-www-form-urlencoded', 'variant=7&quantity=2&unitPrice=500'],
    [
      'multipart/form-data; boundary=x',
      multipart({ variant: '7', quantity: '1', unitPrice: '900' }),
    ],
    ['multipart/form-data; boundary=x', multipart({ variant: 'Zoë & "Co"\r\n', quantity: '0' })],
    ['application/json', '{"variant": 7,'],
    ['text/plain', 'variant=7'],
  )
  .map(
    ([type, body]) =>
      (office) =>
        office.call('POST /api/orders/120/items/', body, { 'content-type': type }),
  );

function multipart(values: Readonly<Record<string, string>>): string {
  const parts = Object.entries(values).map(
    ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--x--\r\n`;
}

/** What only extensions have. */
const ownActs: Readonly<Record<string, fc.Arbitrary<Act>>> = {
  store: read,
  company: fc.oneof(
    request(fc.constant('PATCH /api/users/1'), { loyaltyPoints: 1200 }),
    request(fc.constant('POST /api/wishlists/'), { name: 'Summer', user: 1, variants: [7] }),
    request(fc.constant('POST /api/wishlists/1/cart'), { channel: 1, currency: 'EUR' }),
    request(fc.constant('DELETE /api/wishlists/1')),
  ),
  'every part': fc.oneof(
    request(fc.constant('PATCH /api/users/1'), { mentor: 2, tags: ['old', 'rich'], credit: 500 }),
    request(fc.constant('PATCH /api/wishlists/1'), { order: 120, name: 'Summer' }),
    request(fc.constant('POST /api/gadgets/1/cart'), { currency: 'EUR' }),
    request(fc.constant('DELETE /api/gadgets/1/texts')),
    request(fc.constant('DELETE /api/gadgets/1')),
    request(fc.constant('POST /_backlot/given/aWishlist'), { name: 'Autumn' }),
  ),
};

/** Faults that hold responses, and what sends these. */
const holds: fc.Arbitrary<Act> = fc.oneof(
  fc
    .constantFrom('/api/users/*', '/api/orders/')
    .map<Act>((path) => ({ faults, shop: { api } }) => {
      const match = { path: path.replace('/api', api.path) };
      return faults.add({ match, hold: 'later', first: 2 });
    }),
  fc.constant<Act>((office) => office.release('later')),
);

/** A shop that something happens to: of the store or an extension, on a server, in a session of it or shared. */
export interface RandomShop {
  readonly api: string;
  readonly scenario: string;
  readonly clock: 'frozen' | 'ticking';
  readonly session: string | undefined;
  readonly acts: readonly Act[];
}

export const randomShop: fc.Arbitrary<RandomShop> = fc
  .constantFrom('store', 'store', 'company', 'every part')
  .chain((api) =>
    fc.record({
      api: fc.constant(api),
      scenario: fc.constantFrom(...scenarios),
      clock: fc.constantFrom('frozen', 'ticking'),
      session: fc.constantFrom(undefined, 'ada'),
      acts: fc.array(
        fc.oneof(
          { weight: 8, arbitrary: act },
          { weight: 2, arbitrary: read },
          { weight: 2, arbitrary: ownActs[api]! },
          { weight: 1, arbitrary: forms },
          { weight: 1, arbitrary: holds },
        ),
        { minLength: 1, maxLength: 14 },
      ),
    }),
  );

export interface ServedShop extends StoreOffice, Calls {
  /** Has real time pass, which a ticking clock follows. */
  readonly pass: (milliseconds: number) => void;
}

/** Opens a shop of a server. `call` sends its requests to the server. */
export function serveShop(of: Omit<RandomShop, 'acts'>): ServedShop {
  let elapsed = 0;
  const milliseconds = (): number => elapsed;
  const api = apis[of.api]!;
  const shared = openStoreOffice({
    api,
    scenario: of.scenario as 'default',
    clock: of.clock,
    history: true,
    milliseconds,
    currentTime: () => Date.UTC(2031, 0, 1) + elapsed,
  });
  const server = openSessions(shared, { milliseconds });
  const { session } = of;
  const office = session === undefined ? shared : (server.sessions.open(session) as StoreOffice);
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const sent = {
      method: init.method ?? 'GET',
      url: `${pathname.replace(/^\/api(?=\/)/, api.path)}${search}`,
      headers: {
        ...(init.headers as Record<string, string>),
        ...(session !== undefined && { 'x-backlot-session': session }),
      },
      ...(typeof init.body === 'string' && { body: init.body }),
    };
    const answer = server.answer(api.ids?.outside(office.shop, sent) ?? sent);
    const { status, headers, body, connection } = await settle(
      answer,
      new AbortController().signal,
    );
    if (connection === 'drop') throw new TypeError('Failed to fetch');
    return new Response(status === 204 ? undefined : body, { status, headers });
  };
  const pass = (ms: number): void => void (elapsed += ms);
  return Object.assign(office, { call: caller(send), pass });
}

/** Opens a shop, and has everything happen to it. Held responses are sent at the end. */
export async function play({ acts, ...of }: RandomShop): Promise<ServedShop> {
  const office = serveShop(of);
  const pending: Promise<unknown>[] = [];
  for (const run of acts) {
    office.pass(700);
    // What is rejected changes nothing.
    const done = Promise.resolve(office)
      .then(run)
      .catch(() => undefined);
    const isHeld = await Promise.race([done.then(() => false), nextTurn().then(() => true)]);
    if (isHeld) pending.push(done);
  }
  office.releaseAll();
  await Promise.all(pending);
  return office;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

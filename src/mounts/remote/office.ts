import type { MachineName, ListedTransition } from '../../shop/checkout/machines/transition.ts';
import type { StockLevel } from '../../shop/checkout/stock.ts';
import type { FaultsApi } from '../../engine/faults/fault-rules.ts';
import type { TypedApi } from '../../engine/definition/api.ts';
import type { Given } from '../../shop/given/given.ts';
import type { JournalEntry } from '../../engine/journal/recorded-exchange.ts';
import type { JournalFilter, JournalFilterInput } from '../../engine/journal/journal-filter.ts';
import type { JournalApi } from '../../engine/journal/journal.ts';
import type { Expected } from '../../engine/journal/verify.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { assertOptions } from '../../engine/lib/unknown-keys.ts';
import type { ClockState, VirtualClock } from '../../engine/lib/virtual-clock.ts';
import type { StockItem } from '../../shop/models/stock.ts';
import type { StoreOffice } from '../../shop/office/store-office.ts';
import type { WithTables } from '../../engine/office/typed-office.ts';
import type { StoreExplainApi } from '../../shop/office/explanation.ts';
import type { BackOfficeFile } from '../../engine/office/file.ts';
import { unintercepted } from '../../engine/office/interceptor.ts';
import type { Trace } from '../../engine/office/trace/trace-format.ts';
import { callerOf, urlOf, withSession, type Call, type RemoteOptions } from './call.ts';

export type { RemoteOptions } from './call.ts';

/** The same functions, which return promises. */
export type Remote<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...all: infer All) => infer Result
    ? (...all: All) => Promise<Awaited<Result>>
    : never;
};

/**
 * `given` of a back office behind a server. A call with several rules adds them one by one.
 *
 * @property Api the API of the server, if it is an own one: `typeof api`
 */
export type RemoteGiven<Api = unknown> = Remote<
  // The entry points of the package have classes of their own, so that the whole API of one is not that of another.
  Api extends Pick<TypedApi<infer Tables>, 'types'>
    ? WithTables<{ readonly given: Given; readonly db: object }, NonNullable<Tables>>['given']
    : Given
>;

/** The journal of a back office behind a server. */
export interface RemoteJournal extends Remote<
  Pick<JournalApi, 'entries' | 'count' | 'verify' | 'clear'>
> {
  /** Returns the number of entries dropped because the journal was full. */
  dropped(): Promise<number>;
  /**
   * Waits for a number of matching requests (default: one), including those already recorded.
   *
   * @param options.timeout maximum time in milliseconds, up to 60,000 (default: 5000)
   * @throws Problem `refused` as `verify` after the timeout
   */
  waitFor(
    filter: JournalFilterInput,
    options?: { readonly times?: number; readonly timeout?: number },
  ): Promise<JournalEntry>;
}

/** The clock of a back office behind a server. */
export interface RemoteClock extends Remote<
  Pick<VirtualClock, 'now' | 'set' | 'advance' | 'freeze' | 'tick'>
> {
  state(): Promise<ClockState>;
}

/** Operations of the shop that the store API lacks. */
export interface RemoteCheckout {
  transition(machine: MachineName, id: number, name: string): Promise<void>;
  listTransitions(machine: MachineName, id: number): Promise<readonly ListedTransition[]>;
  setStock(level: StockLevel): Promise<StockItem>;
  useCoupon(order: number, code: string): Promise<void>;
  removeCoupon(order: number, code: string): Promise<void>;
}

/** A back office behind a server, by its control API: as `BackOffice`, with promises. */
export interface RemoteOffice<Api = unknown> {
  /** Name of its session. */
  readonly session: string;
  readonly given: RemoteGiven<Api>;
  readonly clock: RemoteClock;
  readonly script: Remote<StoreOffice['script']>;
  readonly faults: Remote<FaultsApi>;
  readonly journal: RemoteJournal;
  readonly checkout: RemoteCheckout;
  /** Says why. */
  readonly explain: Remote<StoreExplainApi>;
  readonly history: {
    /** Returns the whole history, without secrets. @throws Problem `refused` if the server records none */
    trace(): Promise<Trace>;
  };
  /** Sends a request to the store API: `office.fetch('/api/orders/3')`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Releases the responses that a fault holds under this name. */
  release(name: string): Promise<unknown>;
  /** Lists the responses that faults hold. */
  held(): Promise<unknown>;
  /** Restores the start of the scenario, or that of another one of the server. */
  reset(
    scenario?: string,
    options?: { readonly seed?: number; readonly now?: string },
  ): Promise<void>;
  /** Stores a snapshot. */
  snapshot(name: string): Promise<void>;
  restore(name: string): Promise<void>;
  export(): Promise<BackOfficeFile>;
  import(file: unknown): Promise<void>;
  /** Deletes the session. */
  close(): Promise<void>;
}

/**
 * Returns a back office behind a running server. Sends nothing.
 *
 * All its functions throw a Problem with the message of the server, or an Error if the server cannot be reached.
 */
export function remoteOffice<Api = unknown>(options: RemoteOptions): RemoteOffice<Api> {
  assertOptions('remoteOffice', options, { url: true, session: true, token: true });
  const { session } = options;
  const call = callerOf(options);
  const script: Remote<StoreOffice['script']> = rulesOf('script', call);
  const faults: Remote<FaultsApi> = rulesOf('faults', call);
  const clock = clockOf(call);
  return {
    session,
    given: givenOf<Api>(call, { script, faults, clock }),
    clock,
    script,
    faults,
    journal: journalOf(call),
    checkout: checkoutOf(call),
    explain: {
      order: (id, at) => call('GET', `orders/${id}/why${at === undefined ? '' : `?at=${at}`}`),
      stock: (variant) => call('GET', `stock/${variant}/why`),
      state: (machine, id) => call('GET', `transitions/${machine}/${id}/why`),
      entry: (id) => call('GET', `journal/${id}/why`),
    },
    history: { trace: () => call('GET', 'trace') },
    fetch: (path, init) =>
      unintercepted(() => fetch(urlOf(options, path), withSession(init, session))),
    release: (name) => call('POST', `holds/${encodeURIComponent(name)}/release`),
    held: () => call('GET', 'holds'),
    reset: async (scenario, start) => void (await call('POST', 'reset', { scenario, ...start })),
    snapshot: async (name) => void (await call('POST', 'snapshot', { name })),
    restore: async (name) => void (await call('POST', `snapshot/${name}/restore`)),
    export: () => call('GET', 'export'),
    import: async (file) => void (await call('POST', 'import', file)),
    async close() {
      try {
        await call('DELETE', `sessions/${session}`);
      } catch (error) {
        // A session without a request was never opened.
        if (!(error instanceof Problem) || error.kind !== 'missing') throw error;
      }
    },
  };
}

function clockOf(call: Call): RemoteClock {
  const put = async (body: object): Promise<void> => void (await call('PUT', 'clock', body));
  const state = (): Promise<ClockState> => call('GET', 'clock');
  return {
    now: async () => (await state()).now,
    state,
    set: (now) => put({ now }),
    advance: (advance, from) => put({ advance, now: from }),
    freeze: () => put({ mode: 'frozen' }),
    tick: () => put({ mode: 'ticking' }),
  };
}

/** Calls with the paths and the answers of the script, or of the faults. */
function rulesOf(path: 'script' | 'faults', call: Call) {
  return {
    add: <R>(rule: object): Promise<R> => call('POST', path, rule),
    replace: <R>(id: number, rule: object): Promise<R> => call('PUT', `${path}/${id}`, rule),
    list: <R>(): Promise<readonly R[]> => call('GET', path),
    remove: (id: number): Promise<void> => call('DELETE', `${path}/${id}`),
    clear: (): Promise<void> => call('DELETE', path),
  };
}

function givenOf<Api>(
  call: Call,
  { script, faults, clock }: Pick<RemoteOffice, 'script' | 'faults' | 'clock'>,
): RemoteGiven<Api> {
  const create =
    (name: string) =>
    <Result>(values: object = {}): Promise<Result> =>
      call('POST', `given/${name}`, values);
  const known: RemoteGiven = {
    aUser: create('aUser'),
    aProduct: create('aProduct'),
    aStockLocation: create('aStockLocation'),
    aChannel: create('aChannel'),
    aCoupon: create('aCoupon'),
    anOrder: create('anOrder'),
    async theScript(...rules) {
      for (const rule of rules) await script.add(rule);
    },
    async aFault(...rules) {
      for (const rule of rules) await faults.add(rule);
    },
    theTime: (text) => (/^-?P/.test(text) ? clock.advance(text) : clock.set(text)),
  };
  // The server knows which other records its API has.
  const all: object = new Proxy(known, {
    get(_, name): unknown {
      const isOther = typeof name === 'string' && /^an?[A-Z]/.test(name) && !(name in known);
      return isOther ? create(name) : Reflect.get(known, name);
    },
  });
  return all as RemoteGiven<Api>;
}

function journalOf(call: Call): RemoteJournal {
  const verify = (filter: JournalFilterInput | undefined, expected: Expected) =>
    call<{ count: number; dropped: number }>('POST', 'journal/verify', {
      ...filterOf(filter),
      ...expected,
    });
  // Any number is as expected.
  const counted = (filter?: JournalFilterInput) => verify(filter, { atLeast: 0 });
  return {
    dropped: async () => (await counted()).dropped,
    count: async (filter) => (await counted(filter)).count,
    verify: async (filter, expected = {}) => void (await verify(filter, expected)),
    async entries(filter) {
      const found = await call<{ entries: JournalEntry[] }>(
        'POST',
        'journal/find',
        filterOf(filter),
      );
      return found.entries;
    },
    waitFor: (filter, options = {}) =>
      call('POST', 'journal/wait', { ...filterOf(filter), ...options }),
    clear: () => call('DELETE', 'journal'),
  };
}

function filterOf(filter: JournalFilterInput = {}): JournalFilter {
  return typeof filter === 'string' ? { request: filter } : filter;
}

function checkoutOf(call: Call): RemoteCheckout {
  return {
    async transition(machine, id, transition) {
      await call('POST', `transitions/${machine}/${id}`, { transition });
    },
    async listTransitions(machine, id) {
      const view = await call<{ transitions: ListedTransition[] }>(
        'GET',
        `transitions/${machine}/${id}`,
      );
      return view.transitions;
    },
    setStock: ({ stock_location_id, variant_id, on_hand }) =>
      call('PUT', 'stock', {
        stockLocation: stock_location_id,
        variant: variant_id,
        onHand: on_hand,
      }),
    async useCoupon(order, coupon) {
      await call('POST', `orders/${order}/coupons`, { coupon });
    },
    removeCoupon: (order, code) =>
      call('DELETE', `orders/${order}/coupons/${encodeURIComponent(code)}`),
  };
}

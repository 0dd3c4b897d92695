import { isBegin, isPublic } from '../../engine/control/guard.ts';
import { isControl } from '../../engine/lib/api-path.ts';
import { noticeHeader, type ApiResponse, type RequestTarget } from '../../engine/rest/message.ts';
import type { SessionRouter } from '../../engine/sessions/session-router.ts';
import { type Claim, StoreUnavailable, type SessionStore } from '../../engine/sessions/store.ts';
import { wait } from '../wait.ts';
import type { Keeper } from './keeper.ts';
import { neededBy, unavailable, undecided } from './needed.ts';

/** What is known of a request before it is answered. */
interface AnyExchange {
  readonly request: { readonly method?: string | undefined };
}

/**
 * What became of a forwarded request: its response was sent to the client; the server is not the owner; the server was
 * not reached; or the connection ended before a response, so that the request may have been performed.
 */
export type Outcome = 'sent' | 'misdirected' | 'unreached' | 'lost';

/** Other servers that have the same store, and that this one can reach. */
export interface Peers<Exchange> {
  /** Whether one of them has forwarded a request. */
  hasForwarded(exchange: Exchange): boolean;
  /** Tells the server that has forwarded a request that the session is not here. Returns whether one has. */
  misdirect(exchange: Exchange): boolean;
  /**
   * Has one of them answer.
   *
   * @param headers are added to the response
   * @param isAlive whether the server still has its lease: a server that is suspended answers nothing
   */
  forward(
    url: string,
    exchange: Exchange,
    headers: Readonly<Record<string, string>>,
    isAlive: () => Promise<boolean>,
  ): Promise<Outcome>;
}

/**
 * How long a connection is kept that nobody uses, and how long the owner of a session is believed without a response, in
 * milliseconds. A server that stops does not close connections for a longer time (`lingering` in `cli/stop.ts`), so that
 * none is closed at the moment when a request is sent.
 */
export const maxUnused = 250;

export interface RouterOptions<Exchange> {
  readonly keeper: Keeper;
  readonly store: SessionStore;
  /** Undefined if no request can be forwarded. */
  readonly peers?: Peers<Exchange> | undefined;
  readonly keepsShared: boolean;
  /** How long a request waits at most for the lease of an owner to end, in milliseconds. */
  readonly patience: number;
  /** Receives the reason for which this server has given up a session, once. */
  readonly takeNotice: (name: string) => string | undefined;
}

/** Another server. */
interface Elsewhere {
  readonly status: 'elsewhere';
  readonly url: string;
  /** See `Claim`. */
  readonly remaining: number;
}

/** The owner of a session, as last seen. */
interface Route extends Elsewhere {
  /** When it was seen, by `performance.now()`. */
  seen: number;
}

/** Maximum number of requests that wait for another server, and of owners that are remembered. */
const [maxWaiting, maxRoutes] = [1000, 10_000];

/** Finds the owner of the session of a request, and forwards the request to it. */
export class StoreRouter<Exchange extends AnyExchange> implements SessionRouter<Exchange> {
  readonly #options: RouterOptions<Exchange>;
  /** By session. */
  readonly #routes = new Map<string, Route>();
  #waiting = 0;

  constructor(options: RouterOptions<Exchange>) {
    this.#options = options;
  }

  isHere(target: RequestTarget): boolean {
    const { keeper, keepsShared } = this.#options;
    const needed = neededBy(target, keepsShared);
    if (keeper.isDraining) return isControl(target.path) && isPublic(target.path);
    return needed === undefined || keeper.get(needed.name) !== undefined;
  }

  settle(method: string, target: RequestTarget): Promise<ApiResponse | undefined> | undefined {
    const { keeper, keepsShared } = this.#options;
    const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    return keeper.settle(neededBy(target, keepsShared)?.name, isRead);
  }

  async locate(
    target: RequestTarget,
    exchange: Exchange,
  ): Promise<ApiResponse | 'sent' | undefined> {
    const needed = neededBy(target, this.#options.keepsShared);
    const isSafe = isSafeRequest(target, exchange);
    if (needed === undefined) {
      return this.#misdirects(exchange) ? 'sent' : this.#toPeer(exchange, isSafe);
    }
    if (this.#waiting >= maxWaiting)
      return unavailable('Too many requests wait for other servers.');
    this.#waiting += 1;
    try {
      return await this.#locate(needed.name, needed.create ? 'any' : 'existing', exchange, isSafe);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (needed.isOptional) return undefined;
      return unavailable(`The store of sessions ${error.reason} at the moment.`);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #locate(
    name: string,
    what: 'any' | 'existing',
    exchange: Exchange,
    isSafe: boolean,
  ): Promise<ApiResponse | 'sent' | undefined> {
    const deadline = performance.now() + this.#options.patience;
    const { peers } = this.#options;
    const isGuest = peers?.hasForwarded(exchange) === true;
    for (let tries = 0; performance.now() < deadline; tries++) {
      const place = await this.#placeOf(name, what, tries === 0 && !isGuest);
      if (place === 'here') return undefined;
      if (isGuest) return this.#misdirects(exchange) ? 'sent' : undefined;
      if (place === undefined) return unavailable('No server can take over this session.');
      if (place.status === 'wait') {
        if (place.remaining > maxUnused) return undecided(place.remaining);
        await wait(place.remaining + 1);
        continue;
      }
      if (peers === undefined || place.url === '') return notForwarded(place.remaining);
      const outcome = await this.#forward(peers, name, place.url, exchange);
      if (outcome === 'sent') return 'sent';
      this.#routes.delete(name);
      // Only what was certainly not performed is sent again.
      if (outcome === 'lost' && !isSafe) return uncertain;
      await wait(outcome === 'misdirected' ? tries * 2 : Math.min(place.remaining + 1, pause));
    }
    return unavailable('The server that owns this session does not answer.');
  }

  /** Has another server answer what would begin here while this server stops. */
  async #toPeer(exchange: Exchange, isSafe: boolean): Promise<ApiResponse | 'sent' | undefined> {
    const { peers, store } = this.#options;
    const peer = peers && (await store.peer?.().catch(() => undefined));
    if (peers === undefined || peer === undefined) return undefined;
    const outcome = await peers.forward(peer, exchange, {}, () => Promise.resolve(true));
    if (outcome === 'sent') return 'sent';
    if (outcome === 'lost' && !isSafe) return uncertain;
    return unavailable('This server is about to stop.');
  }

  /** @param useRoute whether the owner that was seen last is believed */
  async #placeOf(
    name: string,
    what: 'any' | 'existing',
    useRoute: boolean,
  ): Promise<Elsewhere | Extract<Claim, { status: 'wait' }> | 'here' | undefined> {
    const { keeper, store } = this.#options;
    const known = useRoute ? this.#routes.get(name) : undefined;
    if (known !== undefined && performance.now() - known.seen < maxUnused) return known;
    const claim = keeper.isDraining
      ? await store.claim(keeper.keyOf(name), 'none')
      : await keeper.claim(name, what);
    if (claim?.status === 'elsewhere') this.#remember(name, claim);
    if (claim?.status === 'elsewhere' || claim?.status === 'wait') return claim;
    if (!keeper.isDraining) return 'here';
    const peer = await store.peer?.();
    return peer === undefined ? undefined : { status: 'elsewhere', url: peer, remaining: 0 };
  }

  #misdirects(exchange: Exchange): boolean {
    return this.#options.peers?.misdirect(exchange) === true;
  }

  async #forward(
    peers: Peers<Exchange>,
    name: string,
    url: string,
    exchange: Exchange,
  ): Promise<Outcome> {
    const { store, takeNotice } = this.#options;
    const notice = takeNotice(name);
    const headers: Record<string, string> = {};
    if (notice !== undefined) headers[noticeHeader] = notice;
    const sent = performance.now();
    const isAlive = async (): Promise<boolean> => store.isAlive?.(url) ?? true;
    const outcome = await peers.forward(url, exchange, headers, isAlive);
    const route = this.#routes.get(name);
    if (outcome === 'sent' && route?.url === url) route.seen = sent;
    return outcome;
  }

  #remember(name: string, { url }: Elsewhere): void {
    this.#routes.delete(name);
    // A server without a URL may have ended, and another one is the owner when its lease ends.
    if (url === '') return;
    // When the lease ends, is not known later.
    this.#routes.set(name, { status: 'elsewhere', url, remaining: 0, seen: performance.now() });
    const [oldest = ''] = this.#routes.keys();
    if (this.#routes.size > maxRoutes) this.#routes.delete(oldest);
  }
}

/** How long a request waits before it looks for the owner again, in milliseconds. */
const pause = 200;

/** Whether a request changes nothing, so that it can be sent again: https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1 */
function isSafeRequest(
  { path }: RequestTarget,
  { request: { method = '' } }: AnyExchange,
): boolean {
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  return isRead && !path.startsWith('/oauth') && !isBegin(path);
}

const uncertain = unavailable(
  'The server that owns this session has ended or does not answer. This request may have been performed or not.',
);

function notForwarded(remaining: number): ApiResponse {
  const seconds = Math.max(1, Math.ceil(remaining / 1000));
  return unavailable(
    `The server that owned this session has ended, or this one cannot forward requests to it: only servers that were started with --advertise forward them to each other. If it has ended, this one takes over in ${seconds} s.`,
    seconds,
  );
}

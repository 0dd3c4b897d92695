import { isControl, isPublic } from '../../control/guard.ts';
import type { ApiResponse, RequestTarget } from '../../rest/message.ts';
import type { Residence } from '../../sessions/residence.ts';
import { type Claim, StoreUnavailable, type SessionStore } from '../../sessions/store.ts';
import { misdirectedHeader, type Exchange, type Forwarder, type Outcome } from './forward.ts';
import type { Keeper } from './keeper.ts';
import { neededBy, unavailable } from './needed.ts';

export interface ResidenceOptions {
  readonly keeper: Keeper;
  readonly store: SessionStore;
  readonly forwarder: Forwarder;
  readonly keepsShared: boolean;
  /** How long a request waits at most for the lease of an owner to end, in milliseconds. */
  readonly patience: number;
  /** Receives the reason for which this server has given up a session, once. */
  readonly takeNotice: (name: string) => string | undefined;
  /** Whether another server of the store has forwarded the request. */
  readonly isForwarded: (exchange: Exchange) => boolean;
}

/** Another server. */
type Elsewhere = Omit<Extract<Claim, { status: 'elsewhere' }>, 'status'>;

/** Maximum number of requests that wait for another server, and of owners that are remembered. */
const [maxWaiting, maxRoutes] = [1000, 10_000];

/** Finds the owner of the session of a request, and forwards the request to it. */
export class StoreResidence implements Residence<Exchange> {
  readonly #options: ResidenceOptions;
  /** The owners by session, as last seen. */
  readonly #routes = new Map<string, Elsewhere>();
  #waiting = 0;

  constructor(options: ResidenceOptions) {
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
    const { keepsShared, isForwarded } = this.#options;
    const needed = neededBy(target, keepsShared);
    if (needed === undefined) return isForwarded(exchange) ? misdirected : this.#toPeer(exchange);
    if (this.#waiting >= maxWaiting)
      return unavailable('Too many requests wait for other servers.');
    this.#waiting += 1;
    try {
      return await this.#locate(needed.name, needed.create ? 'any' : 'existing', exchange);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (needed.isOptional) return undefined;
      return unavailable('The store of sessions cannot be reached at the moment.');
    } finally {
      this.#waiting -= 1;
    }
  }

  async #locate(
    name: string,
    what: 'any' | 'existing',
    exchange: Exchange,
  ): Promise<ApiResponse | 'sent' | undefined> {
    const { keeper, patience, isForwarded } = this.#options;
    const deadline = performance.now() + patience;
    const isGuest = isForwarded(exchange);
    let isUncertain = false;
    /** The owner that may have performed the request. */
    let lost: string | undefined;
    for (let tries = 0; performance.now() < deadline; tries++) {
      const place = await this.#placeOf(name, what, tries === 0 && !isGuest);
      if (place === 'here') {
        if (isUncertain && keeper.get(name)?.isTakenOver === true) return uncertain;
        return undefined;
      }
      if (isGuest) return misdirected;
      if (place === undefined) return unavailable('No server can take over this session.');
      // A server that has given up the session in order has answered all that it has performed.
      if (lost !== undefined && (place.isTakenOver || place.owner === lost)) return uncertain;
      if (place.url === '') return notAdvertised(place.remaining);
      const outcome = await this.#forward(name, place.url, exchange);
      if (outcome === 'sent') return 'sent';
      this.#routes.delete(name);
      if (!isRepeatable(exchange)) {
        if (outcome === 'lost') lost = place.owner;
        isUncertain ||= outcome === 'lost' || outcome === 'closed';
      }
      await waitFor(outcome === 'misdirected' ? tries * 2 : Math.min(place.remaining + 1, pause));
    }
    return unavailable('The server that owns this session does not answer.');
  }

  /** Has another server answer what would begin here while this server stops. */
  async #toPeer(exchange: Exchange): Promise<ApiResponse | 'sent' | undefined> {
    const { forwarder, store } = this.#options;
    const peer = await store.peer?.().catch(() => undefined);
    if (peer === undefined) return undefined;
    const outcome = await forwarder.forward(peer, exchange, () => Promise.resolve(true));
    return outcome === 'sent' ? 'sent' : unavailable('This server is about to stop.');
  }

  /** @param useRoute whether the owner that was seen last is believed */
  async #placeOf(
    name: string,
    what: 'any' | 'existing',
    useRoute: boolean,
  ): Promise<Elsewhere | 'here' | undefined> {
    const { keeper, store } = this.#options;
    const known = useRoute ? this.#routes.get(name) : undefined;
    if (known !== undefined) return known;
    const claim = keeper.isDraining
      ? await store.claim(keeper.keyOf(name), 'none')
      : await keeper.claim(name, what);
    if (claim?.status === 'elsewhere') {
      this.#remember(name, claim);
      return claim;
    }
    if (!keeper.isDraining) return 'here';
    const peer = await store.peer?.();
    return peer === undefined
      ? undefined
      : { url: peer, owner: '', remaining: 0, isTakenOver: false };
  }

  async #forward(name: string, url: string, exchange: Exchange): Promise<Outcome> {
    const { forwarder, store, takeNotice } = this.#options;
    const notice = takeNotice(name);
    const headers = notice === undefined ? undefined : { 'x-backlot-notice': notice };
    return forwarder.forward(
      url,
      { ...exchange, headers },
      async () => store.isAlive?.(url) ?? true,
    );
  }

  #remember(name: string, place: Elsewhere): void {
    this.#routes.delete(name);
    // When the lease ends, is not known later.
    this.#routes.set(name, { ...place, remaining: 0 });
    const [oldest = ''] = this.#routes.keys();
    if (this.#routes.size > maxRoutes) this.#routes.delete(oldest);
  }
}

/** How long a request waits before it looks for the owner again, in milliseconds. */
const pause = 200;

async function waitFor(milliseconds: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

function isRepeatable({ request }: Exchange): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'].includes(request.method ?? '');
}

const misdirected: ApiResponse = { status: 421, headers: { [misdirectedHeader]: '1' } };

const uncertain = unavailable(
  'The server that owns this session has ended or does not answer. This request may have been performed or not.',
);

function notAdvertised(remaining: number): ApiResponse {
  const seconds = Math.max(1, Math.ceil(remaining / 1000));
  return unavailable(
    'Another server owns this session and accepts no forwarded requests. Start it with --advertise.',
    seconds,
  );
}

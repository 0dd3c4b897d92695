import { isPublic } from '../../engine/control/guard.ts';
import { isControl } from '../../engine/lib/api-path.ts';
import type { ApiResponse, RequestTarget } from '../../engine/rest/message.ts';
import type { SessionRouter } from '../../engine/sessions/session-router.ts';
import { StoreUnavailable } from '../../engine/sessions/store.ts';
import type { Keeper } from './keeper.ts';
import { neededBy, unavailable, undecided } from './needed-session.ts';

/** Maximum number of requests that wait for sessions. */
const maxWaiting = 1000;

/** Makes this server the owner of the session of each request. */
export class StoreRouter implements SessionRouter {
  readonly #keeper: Keeper;
  readonly #keepsShared: boolean;
  #waiting = 0;

  /** @param keepsShared whether the shared back office is kept, too */
  constructor(keeper: Keeper, keepsShared: boolean) {
    this.#keeper = keeper;
    this.#keepsShared = keepsShared;
  }

  isHere(target: RequestTarget): boolean {
    const needed = neededBy(target, this.#keepsShared);
    if (this.#keeper.isClosing) return isControl(target.path) && isPublic(target.path);
    return needed === undefined || this.#keeper.get(needed.name) !== undefined;
  }

  settle(method: string, target: RequestTarget): Promise<ApiResponse | undefined> | undefined {
    const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    return this.#keeper.settle(neededBy(target, this.#keepsShared)?.name, isRead);
  }

  async locate(target: RequestTarget): Promise<ApiResponse | undefined> {
    const needed = neededBy(target, this.#keepsShared);
    if (needed === undefined || this.#keeper.isClosing)
      return unavailable('This server is about to stop.');
    if (this.#waiting >= maxWaiting)
      return unavailable('Too many requests wait for other servers.');
    this.#waiting += 1;
    try {
      const claim = await this.#keeper.claim(needed.name, needed.create ? 'any' : 'existing');
      if (claim === undefined) return undefined;
      if (claim.status === 'wait') return undecided(claim.remaining);
      if (claim.status === 'none' && !this.#keeper.isClosing) return undefined;
      return unavailable('The server that has this session does not release it.');
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (needed.isOptional) return undefined;
      return unavailable(`The store of sessions ${error.reason} at the moment.`);
    } finally {
      this.#waiting -= 1;
    }
  }
}

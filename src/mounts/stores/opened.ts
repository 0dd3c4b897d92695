import type { BackOffice } from '../../engine/office/open-back-office.ts';
import type { ApiResponse } from '../../engine/rest/message.ts';
import type { Server } from '../../engine/sessions/server.ts';
import { StoreUnavailable, type Claim, type SessionStore } from '../../engine/sessions/store.ts';
import { conflict, unavailable, undecided } from './needed-session.ts';
import type { SessionTexts } from './saved-session.ts';

export interface OpenedOptions {
  readonly server: Server;
  readonly store: SessionStore;
  readonly texts: SessionTexts;
  readonly keyOf: (name: string) => string;
  /** @throws StoreUnavailable */
  readonly claim: (name: string) => Promise<Claim>;
  /** Keeps a session that was claimed. Returns a response if it cannot be saved and has to be. */
  readonly keep: (
    name: string,
    fence: number,
    office: BackOffice,
  ) => Promise<ApiResponse | undefined>;
}

/** Sessions that requests have opened under new names, and that are not claimed yet. */
export class Opened {
  readonly #options: OpenedOptions;
  #names: string[] = [];

  constructor(options: OpenedOptions) {
    this.#options = options;
  }

  add(name: string): void {
    this.#names.push(name);
  }

  /** Claims them. Returns a promise of a response if one cannot be claimed; undefined if there are none. */
  claimAll(): Promise<ApiResponse | undefined> | undefined {
    if (this.#names.length === 0) return undefined;
    const answers = Promise.all(this.#names.map(async (name) => this.#claim(name)));
    this.#names = [];
    return answers.then((all) => all.find((answer) => answer !== undefined));
  }

  /** Claims a session. Removes it if it cannot be claimed. */
  async #claim(name: string): Promise<ApiResponse | undefined> {
    const { server, store, texts, keyOf, claim: claimOf, keep } = this.#options;
    const office = server.sessions.peek(name);
    if (office === undefined) return undefined;
    try {
      const claim = await claimOf(name);
      const isNew = claim.status === 'mine' && (!claim.state || texts.isEnd(claim.state));
      if (claim.status === 'mine' && isNew) return await keep(name, claim.fence, office);
      if (claim.status === 'mine') await store.release(keyOf(name), claim.fence, claim.state);
      server.sessions.forget(name);
      return claim.status === 'wait' ? undecided(claim.remaining) : conflict(name);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      server.sessions.forget(name);
      return unavailable(
        `No session can begin at the moment, because the store of sessions ${error.reason}.`,
      );
    }
  }
}

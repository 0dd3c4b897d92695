import { signal } from '@preact/signals';
import type { Client } from './client.ts';
import type { EntryList } from './entry-list.ts';
import { noResponse, type Notices } from './notices.ts';
import type { ShopState } from './shop-state.ts';
import type { Connection as ConnectionState } from './source.ts';

interface ConnectionParts {
  readonly client: Client;
  readonly notices: Notices;
  readonly shop: ShopState;
  readonly history: EntryList;
}

/** Loads the state of a studio, and keeps it up to date. */
export class Connection {
  readonly state = signal<ConnectionState>('closed');
  /** The reason for which no events arrive, while the connection waits. */
  readonly waitingFor = signal('');
  /** Whether the URL names a session that is not open. A request of the page would begin it. */
  readonly isMissing = signal(false);
  /** Whether the history is loaded. What a view loads after that is changed by later events only. */
  readonly isReady = signal(false);
  readonly #parts: ConnectionParts;
  /** The controller of the latest call of `connect`, until it is closed. */
  #current: object | undefined;
  #stopEvents: (() => void) | undefined;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    parts.shop.onEnded = () => this.#disconnect();
  }

  /**
   * Loads the state of the page and keeps it up to date.
   *
   * @param begins whether the session is begun if it has ended, or if the URL names one that is not open
   * @returns the function that ends it
   */
  connect(begins = false): () => void {
    this.#disconnect();
    const current = {};
    this.#current = current;
    this.isReady.value = false;
    void this.#follow(current, begins);
    return () => {
      if (this.#current !== current) return;
      this.#current = undefined;
      this.#disconnect();
    };
  }

  async #follow(current: object, begins: boolean): Promise<void> {
    const { client, notices, shop, history } = this.#parts;
    try {
      await shop.loadHealth();
      const { ended, scenario } = shop.health.value?.session ?? {};
      const isNamed = /\/s\/[^/]+$/.test(client.source.root);
      const isOpen = begins || scenario !== undefined || !isNamed;
      this.isMissing.value = !isOpen && ended === undefined;
      if (!isOpen || (ended !== undefined && !begins)) return;
      notices.needsToken.value = shop.health.value?.may.control === false;
      if (notices.needsToken.value) return;
      await Promise.all([shop.loadClock(), history.load()]);
    } catch (error) {
      notices.show(error);
    }
    // A panel that was closed, or opened again, in the meantime.
    if (this.#current !== current) return;
    this.isReady.value = !notices.needsToken.value;
    if (notices.needsToken.value) return;
    this.#receiveEvents();
    // The first request to a demo begins a session, also with a token. Nothing waits between the history and its events.
    if (begins || shop.health.value?.session === undefined) await shop.loadHealth();
  }

  #receiveEvents(): void {
    const { client, notices, shop, history } = this.#parts;
    const receive: EntryList['receive'] = (received) => history.receive(received);
    this.#stopEvents = client.source.events(history.lastId.value, receive, (state, reason) => {
      this.waitingFor.value = reason ?? noResponse;
      if (state === 'open' && this.state.value === 'waiting') void this.#reload();
      if (state === 'closed') void shop.loadHealth();
      if (state === 'closed' && reason !== undefined) notices.show(reason);
      this.state.value = state;
    });
  }

  /** Loads what was missed while the server did not respond. It may have started again since. */
  async #reload(): Promise<void> {
    const { notices, shop, history } = this.#parts;
    if (notices.shown.value?.text === noResponse) notices.shown.value = undefined;
    await history.load();
    shop.isAll = true;
    shop.changed();
  }

  #disconnect(): void {
    this.#stopEvents?.();
    this.#stopEvents = undefined;
    this.#parts.shop.stop();
  }
}

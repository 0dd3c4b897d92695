import type { Listeners } from './listeners.ts';

/** Replaces the global `fetch`. Other clients are not affected. */
export class FetchInterception {
  readonly #listeners: Listeners;
  #before: typeof fetch | undefined;

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  open(): void {
    if (globalThis.fetch === this.#fetch) return;
    this.#before = globalThis.fetch;
    globalThis.fetch = this.#fetch;
  }

  /** Restores the original `fetch`, unless something else has replaced `fetch` since. */
  close(): void {
    if (globalThis.fetch === this.#fetch && this.#before !== undefined)
      globalThis.fetch = this.#before;
  }

  readonly #fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const owner = this.#listeners.ownerOf(request);
    if (owner instanceof Error) throw owner;
    return owner === undefined
      ? (this.#before ?? globalThis.fetch)(request)
      : owner.backOffice.fetch(request);
  };
}

import type { Claim, HeldCopy, SessionStore } from '../../engine/sessions/store.ts';
import type { StoreCount } from '../../engine/sessions/metrics.ts';

/** A store whose claims, saves and releases are counted with the time that they take. */
export class MeasuredStore implements SessionStore {
  readonly #store: SessionStore;
  readonly #count: StoreCount;

  constructor(store: SessionStore, count: StoreCount) {
    this.#store = store;
    this.#count = count;
  }

  get isAvailable(): boolean {
    return this.#store.isAvailable;
  }

  get hangs(): boolean {
    return this.#store.hangs ?? false;
  }

  get leaseUntil(): number {
    return this.#store.leaseUntil;
  }

  get lapses(): number {
    return this.#store.lapses;
  }

  get secret(): string {
    return this.#store.secret;
  }

  async claim(key: string, what: 'any' | 'existing' | 'none', held?: HeldCopy): Promise<Claim> {
    return this.#timed('claim', this.#store.claim(key, what, held));
  }

  async save(key: string, fence: number, state: string): Promise<boolean> {
    return this.#timed('save', this.#store.save(key, fence, state));
  }

  async release(key: string, fence: number, state: string | undefined): Promise<boolean> {
    return this.#timed('release', this.#store.release(key, fence, state));
  }

  touch(keys: readonly string[]): void {
    this.#store.touch(keys);
  }

  async peer(): Promise<string | undefined> {
    return this.#store.peer?.();
  }

  async isAlive(url: string): Promise<boolean> {
    return (await this.#store.isAlive?.(url)) ?? true;
  }

  async retire(): Promise<void> {
    await this.#store.retire?.();
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  async #timed<Result>(operation: string, work: Promise<Result>): Promise<Result> {
    const start = performance.now();
    let isDone = false;
    try {
      const result = await work;
      isDone = true;
      return result;
    } finally {
      this.#count(operation, performance.now() - start, isDone);
    }
  }
}

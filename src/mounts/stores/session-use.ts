/** When this process has used sessions, for a store of one process that keeps unused ones for a limited time. */
export class SessionUse {
  readonly #idle: number;
  /** The times by `performance.now()`: of the last use, and of the last one that was noted. */
  readonly #times = new Map<string, { used: number; noted: number }>();

  /** @param idle milliseconds */
  constructor(idle: number) {
    this.#idle = idle;
  }

  /** Whether a session was used by this process, but not for too long. */
  isIdle(key: string): boolean {
    const times = this.#times.get(key);
    return times !== undefined && performance.now() - times.used >= this.#idle;
  }

  /** Whether a session was used lately. */
  has(key: string): boolean {
    return this.#times.has(key) && !this.isIdle(key);
  }

  /** Notes a use. Returns whether the store has to note it, too: four times in each idle time. */
  add(key: string): boolean {
    const now = performance.now();
    const times = this.#times.get(key) ?? { used: now, noted: -Infinity };
    this.#times.set(key, times);
    times.used = now;
    if (now - times.noted < this.#idle / 4) return false;
    times.noted = now;
    return true;
  }

  delete(key: string): void {
    this.#times.delete(key);
  }

  /** Forgets the sessions that are idle. Returns before when others must have been used to stay, in milliseconds since 1970. */
  sweep(): number {
    for (const key of this.#times.keys()) if (this.isIdle(key)) this.#times.delete(key);
    return Date.now() - this.#idle * 1.25;
  }
}

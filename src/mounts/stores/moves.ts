/** Claims and releases of sessions, one at a time for each. */
export class Moves {
  readonly #moves = new Map<string, Promise<unknown>>();

  has(name: string): boolean {
    return this.#moves.has(name);
  }

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const move = work();
    this.#moves.set(name, move);
    try {
      return await move;
    } finally {
      if (this.#moves.get(name) === move) this.#moves.delete(name);
    }
  }

  /** Waits until a session is not moved. */
  async ended(name: string): Promise<void> {
    for (let move; (move = this.#moves.get(name)) !== undefined;) await move.catch(() => undefined);
  }

  async allEnded(): Promise<void> {
    await Promise.allSettled(this.#moves.values());
  }
}

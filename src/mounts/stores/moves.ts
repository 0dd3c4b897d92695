/** Claims and releases of sessions, in a queue for each. */
export class Moves {
  /** The last move of each. */
  readonly #moves = new Map<string, Promise<unknown>>();

  has(name: string): boolean {
    return this.#moves.has(name);
  }

  /** Does work after all earlier work of the same name. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#moves.get(name);
    const move = before === undefined ? work() : before.then(work, work);
    this.#moves.set(name, move);
    try {
      return await move;
    } finally {
      if (this.#moves.get(name) === move) this.#moves.delete(name);
    }
  }

  async allEnded(): Promise<void> {
    while (this.#moves.size > 0) await Promise.allSettled(this.#moves.values());
  }
}

const most = 1000;

/**
 * What was made of objects lately: of the last thousand asked for at least, of the last two thousand at most. For
 * what can be made again, and for objects that never change.
 */
export class Recent<Made> {
  #young = new Map<object, Made>();
  #old = new Map<object, Made>();

  get(key: object): Made | undefined {
    const made = this.#young.get(key);
    if (made !== undefined) return made;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: object, made: Made): void {
    if (this.#young.size >= most) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, made);
  }
}

const most = 1000;

/**
 * What was made of keys lately: of the last thousand asked for at least, of the last two thousand at most. For what
 * can be made again; keys that are objects never change.
 */
export class LruCache<Key, Made> {
  #young = new Map<Key, Made>();
  #old = new Map<Key, Made>();

  get(key: Key): Made | undefined {
    const made = this.#young.get(key);
    if (made !== undefined) return made;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, made: Made): void {
    if (this.#young.size >= most) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, made);
  }
}

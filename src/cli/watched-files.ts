import { readFileSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';

/**
 * The time for which files must stay unchanged before they are read, in milliseconds. Editors replace a file in several
 * steps, and a file that is read in between is empty.
 */
const settleTime = 5;

/** Files with their contents, and what watches them. */
export class WatchedFiles {
  readonly #contents = new Map<string, string>();
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #check: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #checked = Promise.resolve();
  /** When the last change was noticed first. */
  since = 0;

  /** @param check is called when files may have changed, one call at a time */
  constructor(check: () => Promise<void>) {
    this.#check = check;
  }

  follow(file: string): void {
    this.#contents.set(file, contentOf(file));
    const folder = path.dirname(file);
    if (this.#watchers.has(folder)) return;
    // A folder, because an editor that replaces a file would leave the watcher of that file with the former one.
    this.#watchers.set(folder, watch(folder, () => this.#notice()).unref());
  }

  /** Returns the files whose content has changed since the last call, or since they were followed. */
  takeChanged(): string[] {
    const changed = [...this.#contents].filter(([file, content]) => content !== contentOf(file));
    return changed.map(([file]) => {
      this.#contents.set(file, contentOf(file));
      return file;
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #notice(): void {
    if (this.#timer === undefined) this.since = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#checked = this.#checked.then(this.#check);
    }, settleTime);
  }
}

/** A file that cannot be read has no content. */
function contentOf(source: string): string {
  try {
    return readFileSync(source, 'utf8');
  } catch {
    return '';
  }
}

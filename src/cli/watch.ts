import { readFileSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import type { ApiDefinition } from '../engine/definition/api.ts';
import { Problem } from '../engine/lib/problem.ts';
import type { ReadyScenario } from '../engine/scenario/scenario.ts';
import { errorPlace } from './import-default.ts';
import { UsageError } from './values.ts';

/**
 * How long files must stay unchanged before they are read, in milliseconds. Editors replace a file in several steps, and
 * a file that is read in between is empty.
 */
const settleTime = 5;

/** Reads the watched files. The functions get what receives the path of each file before it is read. */
export interface WatchedSources {
  api(onRead: (file: string) => void): Promise<ApiDefinition>;
  scenario(api: ApiDefinition, onRead: (file: string) => void): Promise<ReadyScenario>;
}

/** What was opened anew, and a sentence on what that did to sessions. */
interface Opened {
  readonly what: string;
  readonly effect: string;
}

/** Receives what a change led to. */
export interface WatchListener {
  /**
   * @param api the definition, if a file of it has changed
   * @throws Problem if the scenario cannot be opened
   */
  open(scenario: ReadyScenario, api: ApiDefinition | undefined): Promise<Opened>;
  /** @param milliseconds from the first notice of the change to the end of `open` */
  opened(opened: Opened, milliseconds: number): void;
  /** @param what what stays as it was */
  failed(message: string, what: 'definition' | 'scenario'): void;
}

/**
 * Watches the files of a definition and of a scenario, with every file that they import or refer to, and opens what they
 * say when the content of one of them changes.
 *
 * @returns the API that the definition says, and the function that ends it
 */
export async function watchFiles(
  sources: WatchedSources,
  listener: WatchListener,
): Promise<{ readonly api: ApiDefinition; readonly end: () => void }> {
  const files = new WatchedFiles(async () => check());
  const definitions = new Set<string>();
  const follow = (file: string): void => files.follow(file);
  const loadApi = async (): Promise<ApiDefinition> =>
    sources.api((file) => {
      definitions.add(file);
      follow(file);
    });
  let api = await loadApi();
  const check = async (): Promise<void> => {
    const changed = files.takeChanged();
    if (changed.length === 0) return;
    const isApi = changed.some((file) => definitions.has(file));
    try {
      const next = isApi ? await loadApi() : api;
      const scenario = await sources.scenario(next, follow);
      const opened = await listener.open(scenario, isApi ? next : undefined);
      api = next;
      listener.opened(opened, performance.now() - files.since);
    } catch (error) {
      const isExpected = error instanceof Problem || error instanceof UsageError;
      // The code of a definition can throw anything while its scenario is opened.
      if (!(error instanceof Error) || !(isExpected || isApi)) throw error;
      const place = isExpected ? '' : errorPlace(error);
      listener.failed(`${error.message}${place}`, isApi ? 'definition' : 'scenario');
    }
  };
  await sources.scenario(api, follow);
  return { api, end: () => files.end() };
}

/** Files with their contents, and what watches them. */
class WatchedFiles {
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

import { readFileSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import type { ApiDefinition } from '../definition/api.ts';
import { Problem } from '../lib/problem.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import { UsageError } from './values.ts';
import { findScenario } from './scenarios.ts';

/**
 * How long files must stay unchanged before they are read, in milliseconds. Editors replace a file in several steps, and
 * a file that is read in between is empty.
 */
const settleTime = 5;

/** Receives what a change led to. */
export interface WatchListener {
  /**
   * @returns the number of sessions that this ends
   * @throws Problem if the scenario cannot be opened
   */
  open(scenario: ReadyScenario): Promise<number>;
  /** @param milliseconds from the first notice of the change to the end of `open` */
  opened(scenario: ReadyScenario, endedSessions: number, milliseconds: number): void;
  failed(message: string): void;
}

/**
 * Watches the file of a scenario and every file that it refers to, and opens the scenario when the content of one of
 * them changes.
 *
 * @returns the function that ends it
 */
export async function watchScenario(
  file: string,
  api: ApiDefinition,
  listener: WatchListener,
): Promise<() => void> {
  const contents = new Map<string, string>();
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let checked = Promise.resolve();
  let since = 0;
  const notice = (): void => {
    if (timer === undefined) since = performance.now();
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      checked = checked.then(check);
    }, settleTime);
  };
  const follow = (source: string): void => {
    contents.set(source, contentOf(source));
    const folder = path.dirname(source);
    // A folder, because an editor that replaces a file would leave the watcher of that file with the former one.
    if (!watchers.has(folder)) watchers.set(folder, watch(folder, notice).unref());
  };
  const check = async (): Promise<void> => {
    if ([...contents].every(([source, content]) => content === contentOf(source))) return;
    try {
      const scenario = await findScenario(file, follow, api);
      const ended = await listener.open(scenario);
      listener.opened(scenario, ended, performance.now() - since);
    } catch (error) {
      if (!(error instanceof Problem || error instanceof UsageError)) throw error;
      listener.failed(error.message);
    }
  };
  await findScenario(file, follow, api);
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}

/** A file that cannot be read has no content. */
function contentOf(source: string): string {
  try {
    return readFileSync(source, 'utf8');
  } catch {
    return '';
  }
}

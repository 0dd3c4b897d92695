import { Journal } from '../journal/journal.ts';
import type { ClockState } from '../lib/virtual-clock.ts';
import type { OpenShop } from '../scenario/start.ts';
import type { budgetOf } from './budget.ts';
import type { ExplainApi } from './explain-api.ts';
import type { ImportLimits } from './file.ts';
import type { EntryDetails, HistoryApi, HistoryParts } from './history-api.ts';
import type { HistoryRecorder } from './history.ts';
import { historyParts } from './history-parts.ts';
import type { ShopState } from './snapshots.ts';

/** The history of a back office, which is opened when it is first read if it is off. */
export interface HistoryAccess {
  readonly journal: HistoryParts['journal'];
  /** Undefined if the history is off. */
  readonly recorder: HistoryRecorder | undefined;
  api(): HistoryApi;
  /** Says why. */
  explain(): ExplainApi;
  /** Turns it on. */
  start(): Promise<void>;
  /** Replaces the shop and the history by those of a trace, and turns it on. @throws Problem as `HistoryRecorder.open` */
  open(trace: unknown, limits: ImportLimits): void;
  /** Runs work that replaces the whole state. */
  replace(by: 'restore' | 'reset', title: string, work: () => void, origin?: ShopState): void;
  /** Returns the function that removes all later entries, after their state was restored. */
  savepoint(): () => void;
  /** Runs the events that are due after a move of the clock. */
  moveClock(before: ClockState, runDue: () => void): void;
}

interface HistoryOptions {
  readonly session?: string | undefined;
  /** The same as the option of a back office. */
  readonly history?: boolean | { readonly maxEntries: number } | undefined;
  readonly milliseconds?: (() => number) | undefined;
  readonly currentTime?: (() => number) | undefined;
}

export function historyAccess(
  shop: OpenShop,
  { session, history = false, milliseconds, currentTime }: HistoryOptions,
  { journal: characters, history: budget, test: maxTest }: ReturnType<typeof budgetOf>,
): HistoryAccess {
  const journal = new Journal<EntryDetails>(shop, { session, budget: characters });
  const given = typeof history === 'object' ? history.maxEntries : history ? undefined : 0;
  const open = (maxEntries?: number): HistoryRecorder => {
    const { HistoryRecorder: Recorder } = historyParts.parts();
    return new Recorder({
      shop,
      journal,
      maxEntries,
      budget,
      maxTest,
      milliseconds,
      currentTime,
    });
  };
  let recorder = given === 0 ? undefined : open(given);
  let api = recorder;
  const opened = (): HistoryRecorder => (api ??= open(0));
  const begin = (): HistoryRecorder => {
    if (recorder !== undefined) return recorder;
    recorder = opened();
    recorder.start();
    return recorder;
  };
  let explain: ExplainApi | undefined;
  journal.why = (entry) =>
    historyParts.isLoaded() ? historyParts.parts().whyLine(shop, entry) : undefined;
  return {
    journal,
    get recorder() {
      return recorder;
    },
    api: opened,
    explain: () => (explain ??= historyParts.parts().createExplainApi(shop, opened)),
    async start() {
      await Promise.all([historyParts.load(), shop.api.explain?.load()]);
      begin();
    },
    open(trace, limits) {
      begin().open(trace, limits);
    },
    replace: (by, title, work, origin) =>
      recorder === undefined ? work() : recorder.replace(by, title, work, origin),
    savepoint() {
      recorder?.flush();
      const undo = [journal.savepoint(), recorder?.savepoint()];
      return () => {
        for (const one of undo) one?.();
      };
    },
    moveClock: (before, runDue) =>
      recorder === undefined ? runDue() : recorder.clockMoved(before, runDue),
  };
}

import { createBackOffice } from 'backlot';
import { intercept } from '../../../src/engine/office/interceptor.ts';
import { planCells, type Cell } from '../../../src/suite/chaos.ts';
import { verdictOf } from '../../../src/suite/oracles.ts';
import { pageTexts } from '../../../src/suite/page-texts.ts';
import type { FaultTrial, PlainRun, Verdict } from '../../../src/suite/trials.ts';
import { WatchedRun } from '../../../src/suite/watched-run.ts';
import { openPage, type Care } from './order-page.ts';

const test = { id: 'page', name: 'the address is sent', file: 'order-page.ts' };

/**
 * Runs the page of the site as `backlot chaos` runs the pages of a suite: as it is, and then with one fault in one request at a
 * time, each time with a shop of its own. Ends when the signal is aborted.
 *
 * @param root the element that has the page
 */
export async function* runPage(
  root: HTMLElement,
  care: Care,
  signal: AbortSignal,
): AsyncGenerator<{ readonly cell: Cell; readonly verdict: Verdict | undefined }> {
  const started = performance.now();
  const { watched, texts } = await runOnce(root, care, 5000);
  // Far longer than the page takes as it is.
  const limit = Math.max(150, 4 * (performance.now() - started));
  const plain = watched.plain(texts);
  const planned = planCells([{ ...test, attempts: [], subjects: [], plain }]);
  const cells = planned.toSorted((one, other) => one.row - other.row);
  for (const cell of cells) yield { cell, verdict: undefined };
  for (const cell of cells) {
    if (signal.aborted) return;
    yield { cell, verdict: await judge(root, care, limit, cell, plain) };
  }
}

async function judge(
  root: HTMLElement,
  care: Care,
  limit: number,
  trial: FaultTrial,
  plain: PlainRun,
): Promise<Verdict> {
  const { watched, ...end } = await runOnce(root, care, limit, trial);
  watched.hit?.release();
  return verdictOf(watched, end, plain);
}

/** Opens the page, and clicks its button. @param limit how long to wait for what does not come, in milliseconds */
async function runOnce(root: HTMLElement, care: Care, limit: number, trial?: FaultTrial) {
  const host = { document: { body: root } };
  const watched = new WatchedRun(trial, host);
  const onError = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    watched.evidence.uncaught.push(String(event.reason));
  };
  addEventListener('unhandledrejection', onError);
  intercept(watched);
  let error: string | undefined;
  try {
    const office = createBackOffice({ scenario: 'filled-cart' });
    openPage(root, (url: string, init?: RequestInit) => office.fetch(url, init), care);
    const button = await found(limit, () => root.querySelector('button'));
    button.click();
    await found(limit, () => (root.textContent.includes('addressing') ? root : null));
  } catch (caught) {
    error = String(caught);
  } finally {
    intercept(undefined);
    removeEventListener('unhandledrejection', onError);
  }
  return { watched, error, texts: pageTexts(host) };
}

/** Waits for an element. @throws Error if there is none within a time in milliseconds */
async function found(limit: number, find: () => HTMLElement | null): Promise<HTMLElement> {
  const end = performance.now() + limit;
  for (;;) {
    const element = find();
    if (element !== null) return element;
    if (performance.now() > end) throw new Error('The page does not show it.');
    await new Promise((resume) => {
      setTimeout(resume, 5);
    });
  }
}

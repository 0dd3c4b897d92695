import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { tracePage } from '../../engine/dashboard/trace-page.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { pageWith } from '../../engine/lib/trace-file.ts';
import type { Trace } from '../../engine/office/trace/trace-format.ts';

/**
 * Writes a trace to a file: `await saveTrace(office.history.trace(), 'traces/checkout.html')`. Creates its folder. The file is
 * a page that shows the trace in the studio, without a network; with a name that ends with `.json`, it is JSON.
 *
 * @throws Problem `refused` for the page of a trace of an API of your own, which only JSON can have
 */
export async function saveTrace(trace: Trace, file: string): Promise<void> {
  const text = file.endsWith('.json') ? JSON.stringify(trace) : await pageOf(trace);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function pageOf(trace: Trace): Promise<string> {
  const page = tracePage();
  if (trace.api === 'store' && page !== undefined) return pageWith(page, trace);
  const reason =
    page === undefined
      ? 'this build of Backlot has no page for it'
      : `it is of the API ${trace.api}, and its page would have that of the store only`;
  throw new Problem('refused', `The trace cannot be a page: ${reason}. Save it as .json.`);
}

import { tracePage } from '../../engine/dashboard/trace-page.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { pageWith } from '../../engine/lib/trace-file.ts';
import type { Trace } from '../../engine/office/trace/trace-format.ts';
import { ignoreFile } from '../vitest/trace.ts';

/**
 * Writes a trace to a file: `await saveTrace(office.history.trace(), 'traces/checkout.html')`. Creates its folder. The file is
 * a page that shows the trace in the studio, without a network; with a name that ends with `.json`, it is JSON.
 *
 * @throws Problem `refused` for the page of a trace of an API of your own, which only JSON can have
 */
export async function saveTrace(trace: Trace, file: string): Promise<void> {
  await saveText(file, file.endsWith('.json') ? JSON.stringify(trace) : pageOf(trace));
}

/** Saves the trace of a test under a path without its ending, where git ignores it. Returns the name of the file. */
export async function saveTraceAs(trace: Trace, path: string): Promise<string> {
  const file = `${path}.${trace.api === 'store' ? 'html' : 'json'}`;
  await saveTrace(trace, file);
  await saveText(ignoreFile.path, ignoreFile.content);
  return file;
}

/** Writes a file, and creates its folder. */
async function saveText(file: string, text: string): Promise<void> {
  const { mkdir, writeFile } = process.getBuiltinModule('node:fs/promises');
  const path = process.getBuiltinModule('node:path');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

function pageOf(trace: Trace): string {
  const page = tracePage();
  if (trace.api === 'store' && page !== undefined) return pageWith(page, packed(trace));
  const reason =
    page === undefined
      ? 'this build of Backlot has no page for it'
      : `it is of the API ${trace.api}, and its page would have that of the store only`;
  throw new Problem('refused', `The trace cannot be a page: ${reason}. Save it as .json.`);
}

/** Does the same as `pack`, without globals: jsdom replaces some of those that `pack` uses. */
function packed(trace: Trace): string {
  const { deflateRawSync } = process.getBuiltinModule('node:zlib');
  return deflateRawSync(JSON.stringify(trace)).toString('base64');
}

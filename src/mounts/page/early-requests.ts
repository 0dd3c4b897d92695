/**
 * Names in the console the first request to the back office that the page sent before it was intercepted. A development server
 * often answers it with the page.
 *
 * @param until when the interception began, in milliseconds of `performance.now()`
 */
export function warnOfEarlyRequest(covers: (url: URL) => boolean, until: number): void {
  const early = performance
    .getEntriesByType('resource')
    .find((entry) => entry.startTime < until && isRequest(entry) && covers(new URL(entry.name)));
  if (early === undefined) return;
  // oxlint-disable-next-line no-console -- the start succeeds, so there is nothing to throw
  console.warn(
    `Backlot: ${early.name} was requested before startWorker() had finished, so the network answered it. Render the app after \`await startWorker()\`.`,
  );
}

/** Whether an entry is of `fetch` or `XMLHttpRequest`. */
function isRequest(entry: PerformanceEntry): boolean {
  const { initiatorType } = entry as PerformanceResourceTiming;
  return initiatorType === 'fetch' || initiatorType === 'xmlhttprequest';
}

import { createProgressLine, type ProgressLine } from './terminal.ts';

/** For how long a run prints nothing at most, in milliseconds. */
const maxSilence = 10_000;

/** Creates a progress line that says how long a run takes. Without a terminal, it is a line for each long silence. */
export function createSuiteProgress(name: string): ProgressLine {
  const progress = createProgressLine(name);
  const start = performance.now();
  let printedAt = start;
  let done = 'running the tests as they are';
  const tell = (): void => {
    const now = performance.now();
    const text = `${done}, ${Math.round((now - start) / 1000)} s`;
    progress.report(text);
    if (process.stderr.isTTY || now - printedAt < maxSilence) return;
    printedAt = now;
    console.error(`backlot: ${name}: ${text}`);
  };
  const timer = setInterval(tell, 1000);
  return {
    ...progress,
    report(text) {
      done = text;
      progress.report(text);
    },
    print(text) {
      printedAt = performance.now();
      progress.print(text);
    },
    end() {
      clearInterval(timer);
      progress.end();
    },
  };
}

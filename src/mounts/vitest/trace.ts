import type { TestContext } from 'vitest';
import { isIntercepted } from '../../engine/office/interceptor.ts';
import type { MountedBackOffice } from '../mount.ts';
import { ofTest } from '../../engine/office/trace/trace-format.ts';
import type { SaveAs } from '../../suite/trial-runs.ts';

/** When the trace of a test is saved. */
export type TraceMode = 'on-failure' | 'on' | 'off';

/** The folder of traces, below the working directory. */
const folder = '.backlot/traces';

/** A file next to it, so that git ignores them. */
export const ignoreFile = { path: '.backlot/.gitignore', content: '*\n' };

/** Has the trace of a back office saved after its test. The error of a failed test names the file. */
export function traceTest(
  office: Pick<MountedBackOffice, 'history'>,
  { task, onTestFailed, onTestFinished }: TestContext,
  mode: TraceMode,
  saveAs: SaveAs,
): void {
  // Of tests with something wrong in their responses, what runs them saves the traces.
  if (mode === 'off' || isIntercepted()) return;
  const save = async (): Promise<void> => {
    if (!office.history.isOn || (mode !== 'on' && isEmpty(office))) return;
    const errors = task.result?.errors ?? [];
    const error = errors.at(-1);
    const trace = ofTest(
      office.history.trace(),
      titleOf(task),
      errors.map(({ message }) => message),
    );
    const line = await saveAs(trace, `${folder}/${nameOf(task)}`).then(
      (file) => `Trace of the back office: ${file}`,
      (reason: unknown) => `No trace: ${String(reason)}`,
    );
    if (error !== undefined) error.message += `\n\n${line}`;
  };
  if (mode === 'on') onTestFinished(save);
  else onTestFailed(save);
}

/** `cart.test.ts > a group > a cart takes seven` */
function titleOf({ name, file, suite }: TestContext['task']): string {
  const names = [name];
  for (let around = suite; around !== undefined; around = around.suite) names.unshift(around.name);
  return [file.name, ...names].join(' > ');
}

/** Whether nothing was done. A test that sends no request, and does not name the back office, needs no trace. */
function isEmpty({ history }: Pick<MountedBackOffice, 'history'>): boolean {
  return history.entries({ limit: 1 }).length === 0;
}

/** Returns a name for the file, in which the test can be recognised: each test, in each project and each try, has another one. */
function nameOf({ name, file, id, result }: TestContext['task']): string {
  const words =
    `${file.projectName ?? ''} ${file.name} ${name}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const place = id.split('_').slice(1).join('-');
  const retry = result?.retryCount ?? 0;
  return `${words.join('-').slice(0, 100)}-${place}${retry > 0 ? `-retry-${retry}` : ''}`;
}

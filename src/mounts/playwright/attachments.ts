import type { TestInfo } from '@playwright/test';
import { saveTrace } from '../node/save-trace.ts';
import { ofTest } from '../../engine/office/trace/trace-format.ts';
import type { RemoteOffice } from '../remote/office.ts';

/** Number of the last requests that the report of a failed test explains. */
const maxExplained = 20;

/** Shows in the report of a failed test what the back office received, and why it refused or declined a request. */
export async function attachJournal(office: RemoteOffice, testInfo: TestInfo): Promise<void> {
  const entries = await office.journal.entries().catch(() => []);
  const special = entries.filter(
    ({ answer, faults, script }) => answer.status >= 400 || faults.length + script.length > 0,
  );
  const why = await Promise.all(
    special.slice(-maxExplained).map(({ id }) => office.explain.entry(id).catch(() => undefined)),
  );
  const told = entries.map((entry) => {
    const { refused, faults, script } = why.find((one) => one?.entry === entry.id) ?? {};
    return refused === undefined ? entry : { ...entry, why: { refused, faults, script } };
  });
  const body = JSON.stringify(told, null, 2);
  await testInfo.attach('backlot-journal.json', { body, contentType: 'application/json' });
}

/** Shows in the report of a test what happened in its back office, unless the server records no history. */
export async function attachTrace(office: RemoteOffice, testInfo: TestInfo): Promise<void> {
  const trace = await office.history.trace().catch(() => undefined);
  if (trace === undefined) return;
  const [type, contentType] =
    trace.api === 'store' ? ['html', 'text/html'] : ['json', 'application/json'];
  const name = `backlot-trace.${type}`;
  const path = testInfo.outputPath(name);
  const { titlePath, errors } = testInfo;
  const own = ofTest(
    trace,
    titlePath.join(' › '),
    errors.map(({ message }) => message),
  );
  await saveTrace(own, path);
  testInfo.attachments.push({ name, path, contentType });
}

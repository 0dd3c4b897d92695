import { hintOf } from '../engine/lib/unknown-keys.ts';
import { randomUUID } from 'node:crypto';
import { jsonLimits } from '../engine/lib/json-limits.ts';
import { Unreachable } from '../verify/drift/client.ts';
import { jsonReport, junitReport, textReport } from '../verify/drift/report.ts';
import { verifyServer, type Verification } from '../verify/drift/verify.ts';
import { resourceNames } from '../verify/drift/resources.ts';
import type { KnownSettings, Login } from '../engine/definition/drift.ts';
import { valueAt } from '../engine/lib/json-value.ts';
import { printable } from '../engine/lib/printable.ts';
import { counted } from '../engine/lib/problem.ts';
import { issuesOf } from '../engine/lib/schema-issues.ts';
import { Settings } from '../shop/office/scenario.ts';
import type { Arguments } from './commands.ts';
import { loadRemoteApi } from './config.ts';
import { stopYoungGenerationGrowth } from './memory.ts';
import { createProgressLine, printIssue, printWrapped } from './terminal.ts';
import { UsageError } from './values.ts';
import { readJsonFile } from './whole-file.ts';

/** Number of differences after which a check ends. */
const maxFindings = 2000;

const reports = {
  text: textReport,
  json: jsonReport,
  junit: (one: Verification) => junitReport(one),
};

/**
 * Checks the server of `--against` and prints the report.
 *
 * @returns the exit code: 0 if it keeps the contract, 1 if it differs, 2 if it cannot be checked
 * @throws UsageError for flags that cannot be used
 */
export async function verify(args: Arguments<'verify'>): Promise<number> {
  const { against, write, user, client, token, settings, reporter, timeout, maxTime } = args;
  if (against === undefined || !isHttpUrl(against)) {
    throw new UsageError('--against must be the URL of a server, such as http://127.0.0.1:4000.');
  }
  const only = args.only.flatMap((names) => names.split(','));
  const { api, apiPath } = await loadRemoteApi(args);
  const names = await resourceNames(api);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `--only must be one of ${names.join(', ')}, not '${unknown}'.${hintOf(unknown, names)}`,
    );
  }
  stopYoungGenerationGrowth();
  const progress = createProgressLine(`checking ${new URL(against).host}`);
  try {
    const verification = await verifyServer({
      url: against,
      api,
      apiPath,
      onRequest: (count) => progress.report(counted(count, 'request')),
      write,
      tag: randomUUID().slice(0, 8),
      only,
      token,
      login: user === undefined ? undefined : loginOf(user, client),
      settings: settings === undefined ? undefined : readSettings(settings),
      timeout: timeout * 1000,
      maxTime: maxTime * 1000,
      maxFindings,
    });
    progress.end();
    const report = reports[reporter](verification);
    if (reporter === 'text') printWrapped(report);
    else console.log(report);
    return verification.findings.length === 0 ? 0 : 1;
  } catch (error) {
    progress.end();
    if (!(error instanceof Unreachable)) throw error;
    printIssue(printable(error.message));
    return 2;
  }
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

export function loginOf(user: string, client: string): Login {
  const [username, password] = pairOf('--user', 'name:password', user);
  const [clientId, clientSecret] = pairOf('--client', 'id:secret', client);
  return { username, password, clientId, clientSecret };
}

/** Splits at the first colon. The message has no value, because it may be a secret. */
function pairOf(flag: string, form: string, text: string): [string, string] {
  const at = text.indexOf(':');
  if (at < 1) throw new UsageError(`${flag} must be ${form}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Reads `{ "requestMoney": "major" }`, or a scenario with `settings`. */
export function readSettings(file: string): KnownSettings {
  const content = readJsonFile(file, jsonLimits.scenario);
  const settings = valueAt(content, ['settings']) ?? content;
  assertSettings(file, settings);
  return settings;
}

/** Leaves the value as it is, without the defaults of the schema: the other settings are found out. */
function assertSettings(file: string, value: unknown): asserts value is KnownSettings {
  const { error } = Settings.partial().safeParse(value);
  if (error === undefined) return;
  const [issue] = issuesOf(Settings, error, value);
  throw new UsageError(`--settings ${file}: ${issue?.path.join('.')}: ${issue?.message}.`);
}

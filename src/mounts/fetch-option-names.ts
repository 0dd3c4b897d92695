import { Problem } from '../engine/lib/problem.ts';
import { unknownKeys } from '../engine/lib/unknown-keys.ts';
import type { FetchHandlerOptions } from './fetch-handler.ts';

/** @throws Problem `invalid` for an option that `createFetchHandler` does not have */
export function assertKnownOptions(options: FetchHandlerOptions): void {
  const known = Object.keys(names);
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Problem('invalid', `createFetchHandler: ${unknownKeys(unknown, known, 'option')}`);
}

/** JavaScript does not check the names of options. */
const names: Readonly<Record<keyof FetchHandlerOptions, true>> = {
  allowedHosts: true,
  api: true,
  apiPath: true,
  basePath: true,
  client: true,
  clientShare: true,
  clock: true,
  control: true,
  controlToken: true,
  corsOrigin: true,
  coverage: true,
  coverageReport: true,
  currentTime: true,
  demo: true,
  document: true,
  faults: true,
  fixedStarts: true,
  history: true,
  limitFaultHeaders: true,
  maxBodyBytes: true,
  maxCachedBytes: true,
  maxControlBytes: true,
  maxImportBytes: true,
  maxRows: true,
  maxSessions: true,
  maxSnapshots: true,
  maxWaiting: true,
  milliseconds: true,
  newName: true,
  now: true,
  onProgress: true,
  report: true,
  requestRate: true,
  scenario: true,
  scenarios: true,
  seed: true,
  sessionIdle: true,
  sessionLife: true,
  sessions: true,
  settings: true,
  store: true,
  today: true,
  version: true,
};

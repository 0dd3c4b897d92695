/**
 * A setup file that records what the back offices and servers of a test file respond with, for `test/tools/prism`.
 *
 * Left out is what the document leaves free or does not have: responses that a fault changed, dropped connections,
 * HEAD, OPTIONS, requests without an endpoint, those to an endpoint that an extension has changed, and the tests of extensions,
 * whose tokens and faults are their own.
 */
import { afterAll, expect } from 'vitest';
import { Journal } from '../../src/engine/journal/journal.ts';
import type { EndpointRow } from '../../src/engine/rest/endpoint.ts';
import type { ApiResponse } from '../../src/engine/rest/message.ts';
import { createApiRouter } from '../../src/engine/rest/router.ts';
import { parseTarget } from '../../src/engine/rest/serve.ts';
import { ControlApi } from '../../src/engine/sessions/control-api.ts';
import { documentedEndpoints } from '../../src/engine/sessions/openapi.ts';
import { parseRequestTarget } from '../../src/engine/sessions/request-target.ts';
import { provideParts } from '../../src/shop/parts.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { Server } from '../../src/engine/sessions/server.ts';
import { keyOf, type RecordedAnswer, type RecordedMeta } from './recorded-answers.ts';

// The documented endpoints include those of the control API.
provideParts();
const router = createApiRouter(documentedEndpoints(storeApi) as unknown as EndpointRow<never>[]);
/** Those of an extended API are others. */
const documented: ReadonlySet<unknown> = new Set(storeApi.endpoints);
const symbol = Symbol.for('backlot.test.recording');

interface Recording {
  readonly seen: Set<string>;
  /** What the next file to end passes on. */
  fresh: RecordedAnswer[];
  /** Number of responses of back offices. */
  answered: number;
}

// Files that are not isolated from each other share it.
const host = globalThis as { [symbol]?: Recording };
const recording = (host[symbol] ??= startRecording());

// Vitest reads the source of a hook to find the fixtures that its first parameter names; a bound function shows none.
afterAll(pass.bind(undefined));

function pass(...all: readonly unknown[]): void {
  const file = all.find(hasMeta);
  if (file === undefined) return;
  file.meta.recordedAnswers = recording.fresh;
  recording.fresh = [];
}

/** Has back offices, the control API and servers record. */
function startRecording(): Recording {
  const own: Recording = { seen: new Set(), fresh: [], answered: 0 };
  const inJournal = Journal.prototype.record;
  Journal.prototype.record = function record(exchange, ...others) {
    own.answered += 1;
    const { request, answer, faults, prefer, routed } = exchange;
    const { path } = request.target ?? parseTarget(request.url);
    const isDocumented = routed === undefined || documented.has(routed.row);
    if (faults.length === 0 && isDocumented)
      add(own, request.method, path, answer, prefer !== undefined);
    return inJournal.call(this, exchange, ...others);
  };
  const ofControl = ControlApi.prototype.answer;
  ControlApi.prototype.answer = function answer(request, target, chooser) {
    const made = ofControl.call(this, request, target, chooser);
    add(own, request.method, target.path, made);
    return made;
  };
  const ofServer = Server.prototype.answer;
  Server.prototype.answer = function answer(request, options) {
    const before = own.answered;
    const made = ofServer.call(this, request, options);
    const { path } = request.target ?? parseRequestTarget(request.url, request.headers);
    // The responses of back offices are in their journals, with their faults.
    if (own.answered === before) add(own, request.method, path, made);
    return made;
  };
  return own;
}

function add(
  { seen, fresh }: Recording,
  method: string,
  path: string,
  { status, headers, body }: ApiResponse,
  isPreferred = false,
): void {
  const row = router.find(path)?.route.methods.get(method)?.[0];
  const isOfExtension = /\/(define|todo)\/|extended/.test(expect.getState().testPath ?? '');
  // Browsers receive pages in place of JSON, and APIs at other paths lack what the document has.
  const isPage = headers['content-type']?.startsWith('text/html') === true;
  const isMissing = status === 404 && body?.includes('"message":"Endpoint ') === true;
  // A page that a browser loads before its user asks for it.
  const isUnattended = status === 204 && row?.path === '/_backlot/begin';
  if (row === undefined || status === 0) return;
  if (isOfExtension || isPage || isMissing || isUnattended) return;
  const answer = { method, path: row.path, status, headers, body, isPreferred };
  const key = keyOf(answer);
  if (seen.has(key)) return;
  seen.add(key);
  fresh.push(answer);
}

function hasMeta(value: unknown): value is { readonly meta: RecordedMeta } {
  return typeof value === 'object' && value !== null && 'meta' in value;
}

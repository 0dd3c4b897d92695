import type { JournalEntry } from '../../journal/recorded-exchange.ts';
import { isDelivered } from '../../rest/delivery.ts';
import type { EngineSettings } from '../../definition/api.ts';
import type { HistoryEntry } from '../history-api.ts';
import { valuesAfter } from '../changes.ts';
import { bodyToSend, headersOf, notRecorded, sessionHeader } from './request-text.ts';
import { keyOf, sourceOf } from './source-text.ts';

/** The back office of a test so far. */
export interface Sending {
  clock: string;
  settings: EngineSettings;
  readonly testCards: readonly string[];
  /** Whether a line requires a token. */
  usesToken: boolean;
}

/**
 * Returns the lines of a test that do again what an entry did, and expect what it led to.
 *
 * @returns undefined for what cannot be done again: writes by other means than a request, restores and resets, and
 *   requests without their body, that were held, or that depend on a secret
 */
export function sentLines(entry: HistoryEntry, sending: Sending): string[] | undefined {
  const { exchange, by, at } = entry;
  // At the time that it has, too: what became due without a move of the clock happens then.
  if (by === 'clock') return [...clockLines(at, sending, true), changesLine(entry)];
  if (by === 'page' && entry.changes.length === 0) return [];
  if (exchange === undefined || !canBeSent(exchange, sending.settings)) return undefined;
  const call = callOf(exchange, sending);
  const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
  return [
    ...clockLines(at, sending),
    // No status was sent to a client that left.
    isDelivered(exchange.state)
      ? `expect(await ${call}).toBe(${exchange.answer.status});`
      : `await ${call};`,
    ...(isRead && entry.changes.length === 0 ? [] : [changesLine(entry)]),
  ];
}

function clockLines(at: string, sending: Sending, isAlways = false): string[] {
  if (at === sending.clock && !isAlways) return [];
  sending.clock = at;
  return [`office.clock.set(${sourceOf(at)});`];
}

/** Whether a recorded request can be sent again with values that stand for its secrets. */
export function canBeSent(
  { url, request, answer, method }: JournalEntry,
  settings: EngineSettings,
): boolean {
  const isToken = url.startsWith('/oauth');
  const isHeld = answer.hold !== undefined;
  const isKnown = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method);
  const hasQuerySecret = requiresToken(settings) && url.includes('access_token=');
  return !isToken && !isHeld && isKnown && !hasQuerySecret && request.left_out === undefined;
}

function callOf(exchange: JournalEntry, sending: Sending): string {
  const headers = headersOf(exchange);
  const authorization = authorizationOf(exchange, headers, sending);
  delete headers['authorization'];
  delete headers[sessionHeader];
  const named = [
    ...Object.entries(headers).map(([name, value]) => `${keyOf(name)}: ${sourceOf(value)}`),
    ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
  ];
  const body = sentBody(exchange, headers, sending.testCards);
  const parts = [
    'office',
    sourceOf(exchange.method),
    sourceOf(exchange.url),
    ...(named.length > 0 || body !== undefined ? [`{ ${named.join(', ')} }`] : []),
    ...(body === undefined ? [] : [body]),
  ];
  return `send(${parts.join(', ')})`;
}

function authorizationOf(
  { answer }: JournalEntry,
  { authorization }: Readonly<Record<string, string>>,
  sending: Sending,
): string | undefined {
  if (authorization === undefined || !requiresToken(sending.settings)) return undefined;
  if (answer.status === 401) return sourceOf(`Bearer ${notRecorded}`);
  sending.usesToken = true;
  return '`Bearer ${token(office)}`';
}

/** Returns the source of a body. Values stand for its secrets: valid ones, unless the response rejects the field. */
function sentBody(
  exchange: JournalEntry,
  headers: Readonly<Record<string, string>>,
  testCards: readonly string[],
) {
  const text = bodyToSend(exchange, headers, testCards);
  if (text === undefined) return undefined;
  const isJson = headers['content-type']?.includes('json') === true;
  return isJson ? `JSON.stringify(${sourceOf(JSON.parse(text))})` : sourceOf(text);
}

function changesLine({ changes }: HistoryEntry): string {
  return `expect(changed(office)).toEqual(${sourceOf(valuesAfter(changes), 2)});`;
}

function requiresToken(settings: Readonly<Record<string, unknown>>): boolean {
  return settings['auth'] === 'oauth2';
}

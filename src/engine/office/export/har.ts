import { reasons } from '../../faults/fault-response.ts';
import type { JournalEntry } from '../../journal/recorded-exchange.ts';
import { prefixLinks } from '../../rest/page.ts';
import { parseTarget } from '../../rest/serve.ts';
import type { HistoryEntry } from '../history-api.ts';
import type { HarBefore, HarEntry, HarFile, HarPair } from './har-format.ts';
import {
  addressOf,
  responseText,
  sentRequest,
  sessionHeader,
  type SendTarget,
} from './request-text.ts';

/**
 * Returns the requests among entries as an HTTP archive, without secrets.
 *
 * @param before says what has changed the shop before an entry, other than requests, by its id
 */
export function harOf(
  entries: readonly HistoryEntry[],
  target: SendTarget,
  before: ReadonlyMap<number, HarBefore>,
): HarFile {
  return {
    log: {
      version: '1.2',
      creator: { name: 'backlot', version: '1' },
      entries: entries.flatMap((entry) =>
        entry.exchange === undefined
          ? []
          : [{ ...harEntry(entry, entry.exchange, target), ...beforeOf(before.get(entry.id)) }],
      ),
      comment: 'Times are those of the virtual clock. Secrets are masked.',
    },
  };
}

function beforeOf(before: HarBefore | undefined): Pick<HarEntry, '_before'> {
  return before === undefined ? {} : { _before: before };
}

function harEntry(
  { id, outcome, reason, ms, received, changes }: HistoryEntry,
  exchange: JournalEntry,
  target: SendTarget,
): HarEntry {
  const time = ms ?? exchange.answer.delay ?? 0;
  return {
    startedDateTime: exchange.at.replace(/\+0000$/, '.000+00:00'),
    time,
    request: harRequest(exchange, target),
    response: harResponse(asReceived(exchange, target)),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _id: id,
    _outcome: outcome,
    _state: exchange.state,
    ...(reason !== undefined && { _reason: reason }),
    ...(received !== undefined && { _received: new Date(received).toISOString() }),
    ...(exchange.faults.length > 0 && { _faults: exchange.faults }),
    ...(exchange.prefer !== undefined && { _prefer: exchange.prefer }),
    _changes: changes,
  };
}

const unknownSizes = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };

function harRequest(exchange: JournalEntry, target: SendTarget): HarEntry['request'] {
  const { method, url, headers, body } = sentRequest(exchange, target);
  const mimeType = headers['content-type'] ?? 'application/json';
  // An archive has all recorded headers, not only those that a client has to send.
  const { [sessionHeader]: _, ...others } = exchange.request.headers;
  const shown = target.withSession === false ? others : exchange.request.headers;
  const recorded = body === undefined ? shown : withBody(shown, mimeType, bytesIn(body));
  return {
    method,
    url: encodedUrl(url),
    ...unknownSizes,
    headers: pairsOf(Object.entries(recorded)),
    queryString: pairsOf(new URLSearchParams(parseTarget(exchange.url).query)),
    bodySize: exchange.request.left_out === undefined ? bytesIn(body) : -1,
    ...(body !== undefined && { postData: { mimeType, text: body } }),
  };
}

/** Returns headers that fit the recorded text of a body, so that both can be sent again. */
function withBody(
  { 'content-encoding': _coding, 'transfer-encoding': _transfer, ...headers }: Headers,
  type: string,
  length: number,
): Headers {
  const isSized = headers['content-length'] !== undefined;
  return { ...headers, 'content-type': type, ...(isSized && { 'content-length': String(length) }) };
}

type Headers = JournalEntry['request']['headers'];

/** Encodes what a URL cannot have (https://www.rfc-editor.org/rfc/rfc3986), and clients may send. A host may have brackets. */
function encodedUrl(url: string): string {
  const { length } = /^\w+:\/\/[^/]*/.exec(url)?.[0] ?? '';
  const path = url
    .slice(length)
    .toWellFormed()
    .replaceAll(/%(?![\da-f]{2})/gi, '%25')
    .replaceAll(/[^\w.~:/?@!$&()*+,;=%-]/gu, (text) =>
      text === "'" ? '%27' : encodeURIComponent(text),
    );
  return url.slice(0, length) + path;
}

/** Adds what is in front of the path of the request to the links of its response, as the server did. */
function asReceived(exchange: JournalEntry, target: SendTarget): JournalEntry['answer'] {
  const { status, headers, body } = exchange.answer;
  const prefix = new URL(addressOf(exchange, target)).pathname.replace(/\/$/, '');
  const text = responseText(body);
  const sent = prefixLinks({ status, headers, ...(text !== undefined && { body: text }) }, prefix);
  return { ...exchange.answer, headers: sent.headers, body: sent.body };
}

function harResponse({ status, headers, body, left_out: leftOut }: JournalEntry['answer']) {
  const text = responseText(body);
  const size = leftOut === undefined ? bytesIn(text) : -1;
  return {
    status,
    statusText: statusTexts[status] ?? '',
    ...unknownSizes,
    headers: pairsOf(Object.entries(headers)),
    bodySize: size,
    content: {
      size,
      mimeType: headers['content-type'] ?? '',
      ...(text !== undefined && { text }),
      ...(leftOut !== undefined && { comment: leftOut }),
    },
    redirectURL: headers['location'] ?? '',
  };
}

const utf8 = new TextEncoder();

function bytesIn(text = ''): number {
  return utf8.encode(text).length;
}

function pairsOf(entries: Iterable<readonly [string, string]>): HarPair[] {
  return Array.from(entries, ([name, value]) => ({ name, value }));
}

const statusTexts: typeof reasons = {
  201: 'Created',
  204: 'No Content',
  303: 'See Other',
  ...reasons,
};

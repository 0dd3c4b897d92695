import type { ApiEndpoint } from '../definition/api.ts';
import { bracketPairs } from '../rest/body.ts';
import type { Item } from './measures.ts';
import { isObject, withValue } from '../lib/json-value.ts';
import type { ValidationRule } from './rules.ts';

/** Returns lines that meet an item which no change of the example of a row meets; undefined for all others. */
export type ApiHint = (item: Item) => string | undefined;

/** Returns a line of JavaScript that meets an item, for a back office `office` of the scenario `default`. */
export function hintFor(item: Item, apiHint: ApiHint): string {
  const { subject } = item;
  const own = apiHint(item);
  if (own !== undefined) return own;
  if ('rule' in subject) return ruleHint(subject.row, subject.rule);
  return 'status' in subject ? statusHint(subject.row, subject.status) : '';
}

export const json = `headers: { 'content-type': 'application/json' }`;

interface Sent {
  readonly url?: string;
  readonly body?: unknown;
  /** Properties of the second argument of `fetch`, as source. */
  readonly init?: readonly string[];
}

/** Returns calls of `office.fetch`: the example of a row, with changes, after the requests that go before it. */
function call({ method, example }: ApiEndpoint, { url = example.url, ...sent }: Sent = {}): string {
  const before = url === example.url ? (example.before ?? []) : [];
  return [...before, { ...sent, method, url }].map(callLine).join(' ');
}

function callLine({ method, url = '', body, init }: Sent & { readonly method: string }): string {
  const sent = body === undefined ? [] : [json, `body: ${quote(JSON.stringify(body))}`];
  const parts = [...(method === 'GET' ? [] : [`method: '${method}'`]), ...(init ?? sent)];
  const options = parts.length === 0 ? '' : `, { ${parts.join(', ')} }`;
  return `await office.fetch(${quote(url)}${options});`;
}

function quote(text: string): string {
  const short = /(.)\1{99,}/.exec(text);
  if (short?.[1] !== undefined && short.index !== undefined) {
    const after = text.slice(short.index + short[0].length);
    const middle = `'${short[1]}'.repeat(${short[0].length})`;
    return [quote(text.slice(0, short.index)), middle, quote(after)]
      .filter((part) => part !== "''")
      .join(' + ');
  }
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}

export function exampleCall(row: ApiEndpoint): string {
  return call(row, { body: row.example.body });
}

/** The path of a row with the id of no record. */
function missingUrl(row: ApiEndpoint): string {
  return row.path.replaceAll(/:\w+/g, '999999');
}

function statusHint(row: ApiEndpoint, status: number): string {
  if (status === row.status) return exampleCall(row);
  const { method } = row;
  if (status === 413 && method === 'GET') return faultHint(row, status);
  switch (status) {
    case 400:
      return method === 'GET'
        ? call(row, { url: withQuery(row.example.url, 'a[b][c][d][e][f][g][h][i][j]=1') })
        : call(row, { init: [json, `body: '{'`] });
    case 401:
      return `office.reset(undefined, { settings: { auth: 'oauth2' } }); ${exampleCall(row)}`;
    case 404:
      return call(row, { url: missingUrl(row), body: row.example.body });
    case 413:
      return call(row, { init: [json, `body: 'x'.repeat(2e6)`] });
    case 415:
      return call(row, { init: [`headers: { 'content-type': 'text/plain' }`, `body: 'x'`] });
    default:
      return faultHint(row, status);
  }
}

function faultHint(row: ApiEndpoint, status: number): string {
  const match = `{ method: '${row.method}', path: '${pattern(row.path)}' }`;
  return `office.given.aFault({ match: ${match}, first: 1, status: ${status} }); ${exampleCall(row)}`;
}

/** A path as a fault matches it: without the trailing slash. */
function pattern(path: string): string {
  return path.replace(/\/$/, '');
}

function withQuery(url: string, query: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

function ruleHint(row: ApiEndpoint, rule: ValidationRule): string {
  const { path, part, wrong } = rule;
  if (part === 'query') {
    const tree = path === '' ? wrong : withValue({}, namesOf(path), wrong);
    return call(row, {
      url: `${row.example.url.split('?')[0]}?${bracketPairs(tree)
        .map((pair) => pair.join('='))
        .join('&')}`,
    });
  }
  return call(row, { body: brokenBody(row, rule) });
}

/** Returns the body of a row's example, with a value that breaks a rule. */
export function brokenBody(row: ApiEndpoint, { path, wrong, beside }: ValidationRule): object {
  const example = row.example.body ?? {};
  const base = beside === undefined ? example : withValue(example, beside[0].split('.'), beside[1]);
  return path === ''
    ? { ...base, ...(isObject(wrong) && wrong) }
    : withValue(base, namesOf(path), wrong);
}

function namesOf(path: string): string[] {
  return path.replaceAll('*', '0').split('.');
}

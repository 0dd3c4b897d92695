import type { ApiDefinition, ApiEndpoint } from '../../engine/definition/api.ts';
import { parseJson } from '../../engine/lib/json-value.ts';
import type { Client } from '../drift/client.ts';
import { matchRequest } from '../../engine/definition/match-request.ts';
import { linksIn } from '../drift/link-reads.ts';
import { pageIn } from '../drift/pages.ts';
import { withoutPrefix } from '../drift/rule.ts';
import type { RecordedExchange } from '../replay/har-entry.ts';

/** Number of requests at a time. */
const parallel = 4;

/** Number of items that are requested of a list. Servers may send fewer. */
const limit = 100;

/**
 * Reads each list of a server to its last page, each record in it, and what they link to. Of what the server does not show,
 * such as a record that has been deleted meanwhile, there is no exchange.
 *
 * @throws Unreachable if a response is missing
 */
export async function* readServer(
  client: Client,
  api: ApiDefinition,
): AsyncGenerator<RecordedExchange> {
  const waiting: string[] = [];
  const known = new Set<string>();
  const add = (url: string): void => {
    const key = url.replace(/\/(?=\?|$)/, '');
    if (matchingRead(url, api) !== undefined && known.size < known.add(key).size) waiting.push(url);
  };
  for (const { path } of allReads(api)) if (!path.includes(':')) add(path);
  let position = 0;
  while (waiting.length > 0) {
    const urls = waiting.splice(0, parallel);
    const read = await Promise.all(urls.map((url) => readUrl(client, url)));
    for (const [at, { json, exchange }] of read.entries()) {
      const url = urls[at] ?? '';
      if (exchange.response.status !== 200) continue;
      position += 1;
      yield { ...exchange, position };
      for (const next of nextUrls(url, json, api, client)) add(next);
    }
  }
}

async function readUrl(
  client: Client,
  url: string,
): Promise<{ readonly json: unknown; readonly exchange: RecordedExchange }> {
  const request = { method: 'GET', url };
  const response = await client.send(request);
  const json = parseJson(response.body);
  return {
    json,
    exchange: {
      position: 0,
      url: new URL(`${client.origin}${url}`),
      request,
      response: { ...response, json },
      lacksBody: false,
      hasBody: true,
      hasHeaders: true,
      end: 0,
    },
  };
}

/** Returns the URLs that a response leads to: the next page, its items, the lists of a record, and links. */
function* nextUrls(
  url: string,
  json: unknown,
  api: ApiDefinition,
  client: Client,
): Generator<string> {
  const [path = '', query = ''] = url.split('?');
  const page = pageIn({ status: 200, headers: {}, body: '', json });
  const number = Number(new URLSearchParams(query).get('page') ?? 0);
  if (page !== undefined && (number || 1) * page.limit < page.total)
    yield `${path}?limit=${limit}&page=${number + 1}`;
  const [start, row] = [withSlash(path), matchingRead(path, api)];
  for (const { id } of page?.items ?? []) yield `${start}${id}`;
  const pattern = withSlash(row?.path ?? '');
  for (const { path: list } of allReads(api))
    if (list.startsWith(pattern) && list !== row?.path && !list.slice(pattern.length).includes(':'))
      yield `${start}${list.slice(pattern.length)}`;
  for (const href of linksIn(json)) yield withoutPrefix(href, client);
}

function withSlash(path: string): string {
  return path.replace(/\/?$/, '/');
}

/** Returns all reads. The rows of an API say `/api`, whatever its path is. */
function allReads({ endpoints }: ApiDefinition): readonly ApiEndpoint[] {
  return endpoints.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/'));
}

/** Returns the endpoint that answers a read. */
function matchingRead(url: string, api: ApiDefinition): ApiEndpoint | undefined {
  const { row } = matchRequest({ method: 'GET', url }, { api });
  return row?.method === 'GET' ? row : undefined;
}

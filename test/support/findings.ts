import { checkExchange } from '../../src/verify/drift/exchange.ts';
import type { SentRequest } from '../../src/engine/definition/drift.ts';
import { ofStore } from './drift.ts';
import type { Office } from './office.ts';

/** Sends a request and returns the findings as lines. */
export async function findingsOf(office: Office, request: SentRequest): Promise<string[]> {
  const { method, url, headers = {}, body } = request;
  const response = await office.fetch(`http://shop.test${url}`, {
    method,
    headers: headers as Record<string, string>,
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const received = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text,
  };
  return checkExchange(
    { request, response: received },
    { ...ofStore, settings: office.settings },
  ).map(
    ({ request: sent, at, expected, received: got }) => `${sent} ${at}: ${expected}, not ${got}`,
  );
}

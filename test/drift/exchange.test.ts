import { expect, test } from 'vitest';
import { checkExchange } from '../../src/verify/drift/exchange.ts';
import type { SentRequest } from '../../src/engine/definition/drift.ts';
import { contract } from '../../src/shop/resources/index.ts';
import { builtInScenarios } from '../../src/shop/store-api.ts';
import { hrefsIn, roots } from '../support/crawl.ts';
import { findingsOf } from '../support/findings.ts';
import { openOffice } from '../support/office.ts';
import { ofStore } from '../support/drift.ts';

test.for(builtInScenarios.filter((name) => name !== 'large' && name !== 'flaky'))(
  'every response to a read of scenario %s keeps the contract',
  async (scenario) => {
    const office = openOffice({ scenario, settings: { auth: 'none' } });
    const urls = new Set(roots.map((root) => `${root}?limit=40`));
    const found: string[] = [];
    for (const url of urls) {
      found.push(...(await findingsOf(office, { method: 'GET', url })));
      const { body } = await office.call(`GET ${url}`);
      for (const href of hrefsIn(body)) urls.add(href);
      for (const { id } of body._embedded?.items ?? [])
        if (url.startsWith('/api/orders/?'))
          urls.add(`/api/orders/${id}/`).add(`/api/checkouts/${id}`);
      if (urls.size > 400) break;
    }
    expect(urls.size).toBeGreaterThan(roots.length);
    expect(found).toEqual([]);
    expect(urls.size).toBeGreaterThan(roots.length);
  },
);

test('the examples of all endpoints keep the contract', async () => {
  const found: string[] = [];
  for (const { method, example } of contract) {
    const headers = { 'content-type': 'application/json' };
    const body = example.body && { headers, body: JSON.stringify(example.body) };
    found.push(...(await findingsOf(openOffice(), { method, url: example.url, ...body })));
  }
  expect(found).toEqual([]);
});

test('errors keep the contract', async () => {
  const office = openOffice();
  const json = { headers: { 'content-type': 'application/json' } };
  const requests: SentRequest[] = [
    { method: 'GET', url: '/api/orders/999' },
    { method: 'GET', url: '/api/nothing' },
    { method: 'PATCH', url: '/api/orders/' },
    { method: 'GET', url: '/api/orders/?page=0&limit=x' },
    { method: 'GET', url: '/oauth/v2/token' },
    { method: 'HEAD', url: '/api/orders/1/' },
    { method: 'POST', url: '/api/orders/', ...json, body: '{' },
    { method: 'POST', url: '/api/orders/', ...json, body: '{}' },
    { method: 'POST', url: '/api/orders/', ...json, body: '{"channel":9999,"extra":1}' },
    { method: 'POST', url: '/api/orders/', headers: { 'content-type': 'text/csv' }, body: 'a' },
    { method: 'POST', url: '/api/orders/107/items/', ...json, body: '{"quantity":0}' },
    { method: 'PUT', url: '/api/checkouts/107', ...json, body: '{"shippingAddress":{"city":"B"}}' },
  ];
  const found: string[] = [];
  for (const request of requests) found.push(...(await findingsOf(office, request)));
  expect(found).toEqual([]);
});

test('a response with a token that lacks Cache-Control is no drift', async () => {
  const office = openOffice();
  const request = {
    method: 'POST',
    url: '/api/password-resetting-requests/',
    headers: { 'content-type': 'application/json' },
    body: '{"username":"api@example.com"}',
  };
  const { status, headers, body } = await office.call(`POST ${request.url}`, request.body);
  const { 'cache-control': cacheControl, ...others } = headers;
  expect({ status, cacheControl }).toMatchObject({ cacheControl: 'no-store' });
  const response = { status, headers: others, body: JSON.stringify(body) };
  expect(checkExchange({ request, response }, ofStore)).toEqual([]);
});

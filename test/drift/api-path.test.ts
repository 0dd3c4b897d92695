import { expect, test } from 'vitest';
import { placeOf } from '../../src/verify/drift/client.ts';
import { verifyStore } from '../support/drift.ts';
import { createBackOffice } from '../../src/index.ts';
import { sample } from '../support/runs.ts';

test.each([
  ['https://shop.test/', undefined, '', '/api'],
  ['https://shop.test/backend/', undefined, '/backend', '/api'],
  ['https://shop.test/api/v1', undefined, '', '/api/v1'],
  ['https://shop.test/backend/api/', undefined, '/backend', '/api'],
  ['https://shop.test/', '/rest/V1', '', '/rest/V1'],
  ['https://shop.test/backend/rest/V1', '/rest/V1', '/backend', '/rest/V1'],
  ['https://shop.test/backend', '', '/backend', ''],
])('the API of %s with the path %s is found', (url, given, prefix, apiPath) => {
  expect(placeOf(new URL(url).pathname, given)).toEqual({ prefix, apiPath });
});

const servers: readonly [url: string, given: string | undefined, apiPath: string][] = [
  ['http://shop.test/api/v1', undefined, '/api/v1'],
  ['http://shop.test', '/rest/V1', '/rest/V1'],
  ['http://shop.test/', '', ''],
];

test.each(sample(servers, 1))(
  'a server at %s with the path %s keeps the contract',
  async (url, given, apiPath) => {
    const office = createBackOffice({ apiPath, baseUrl: 'http://shop.test' });
    const { findings, url: checked } = await verifyStore({
      url,
      apiPath: given,
      fetch: (target, init) => office.fetch(target, init),
      write: true,
    });
    expect(findings).toEqual([]);
    expect(checked).toBe(`http://shop.test${apiPath}`);
  },
);

test('links to another path than that of the API are reported, with a curl line that has it', async () => {
  const office = createBackOffice({ apiPath: '/api/v1' });
  const { findings } = await verifyStore({
    url: 'http://shop.test/api/v1',
    only: ['orders'],
    async fetch(target, init) {
      const response = await office.fetch(target, init);
      const text = (await response.text()).replaceAll('"href":"/api/v1/', '"href":"/api/');
      return new Response(text === '' ? null : text, response);
    },
  });
  const found = findings.filter(({ kind }) => kind === 'link');
  expect(found.length).toBeGreaterThan(0);
  expect(found[0]?.curl).toContain('http://shop.test/api/v1/');
});

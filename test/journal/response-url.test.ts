import { expect, test } from 'vitest';
import { createFetchHandler } from '../../src/mounts/fetch-handler.ts';
import { createBackOffice } from '../../src/mounts/node.ts';

const url = 'https://shop.test/api/users/?limit=1';

test.each([
  ['a URL', new URL(url)],
  ['a text with a fragment', `${url}#top`],
  ['a Request', new Request(url)],
])('a response of office.fetch to %s has the URL of its request', async (_, input) => {
  const response = await createBackOffice().fetch(input);
  expect(response.url).toBe(url);
  const { _links: links } = await response.json();
  expect(new URL(links.first.href, response.url).origin).toBe('https://shop.test');
});

test('a response of createFetchHandler has the URL of its request', async () => {
  const handle = createFetchHandler({ allowedHosts: ['shop.test'] });
  expect((await handle(new Request(url))).url).toBe(url);
});

test('sizes in a HAR file are bytes', async () => {
  const office = createBackOffice({ history: true });
  await office.fetch('/api/stock-locations/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"code":"HS1","name":"Zoë 😀"}',
  });
  const [{ request, response } = {}] = office.history.export({ as: 'har' }).log.entries;
  expect(request?.bodySize).toBe(Buffer.byteLength(request?.postData?.text ?? ''));
  expect(response?.content.size).toBe(Buffer.byteLength(response?.content.text ?? ''));
  expect(response?.bodySize).toBe(response?.content.size);
});

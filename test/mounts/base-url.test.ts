import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { createBackOffice as createInNode } from '../../src/mounts/node.ts';
import { createBackOffice as createInPage } from '../../src/mounts/browser.ts';

const expected =
  "baseUrl must be a URL such as 'https://shop.example', a path such as '/backend', or '*' for any, without query and fragment; not";

test.each([
  ['localhost:5301', " Did you mean 'http://localhost:5301'?"],
  ['localhost', " Did you mean 'http://localhost'?"],
  ['127.0.0.1:4000/backend', " Did you mean 'http://127.0.0.1:4000/backend'?"],
  ['api.shop.example', " Did you mean 'http://api.shop.example'?"],
  ['mock:80', " Did you mean 'http://mock:80'?"],
  ['//shop.example', ''],
  ['backend', ''],
  ['./backend', ''],
  ['file:///api', ''],
  ['ws://shop.example', ''],
  ['http:/shop.example', ''],
  ['https://', ''],
  ['https://shop.example/?a=1', ''],
  ['/backend#a', ''],
])(
  'the base URL %j, which no request can have, is rejected with what is right',
  (baseUrl, hint) => {
    for (const create of [createBackOffice, createInNode, createInPage])
      expect(() => create({ baseUrl })).toThrow(`${expected} '${baseUrl}'.${hint}`);
  },
);

test.each([
  ['*', 'http://a.test/x/api/orders/1'],
  ['', 'http://a.test/api/orders/1'],
  ['/', 'http://a.test/api/orders/1'],
  ['/backend/', 'http://a.test/backend/api/orders/1'],
  ['http://localhost:5301', 'http://localhost:5301/api/orders/1'],
  ['HTTPS://Shop.Example/my%20shop', 'https://shop.example/my%20shop/api/orders/1'],
])('the base URL %j is accepted, and %s answers', async (baseUrl, url) => {
  expect((await createBackOffice({ baseUrl }).fetch(url)).status).toBe(200);
});

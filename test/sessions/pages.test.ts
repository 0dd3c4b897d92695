import { expect, test } from 'vitest';
import { openServer } from '../support/server.ts';

const browser = { accept: 'text/html,application/xhtml+xml' };
const html = 'text/html; charset=utf-8';

test('a browser receives an index of the resources at the root of the API, and a program its 404', () => {
  const { call, callAt } = openServer();
  const { status, headers, body } = call('GET /api/', undefined, browser);
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: html });
  expect(body).toContain('<a href="/api/orders/">/api/orders/</a>');
  expect(body).not.toContain(':id');
  expect(callAt({ basePath: '/shop' }, 'GET /api', undefined, browser).body).toContain(
    '<a href="/shop/api/orders/">',
  );
  expect(call('GET /api/')).toMatchObject({ status: 404, body: { code: 404 } });
});

test.each([
  ['GET /nothing', {}, 404, 'Nothing is here'],
  ['GET /_backlot/nothing', {}, 404, 'Nothing is here'],
  ['GET /_backlot/journal', { control: false }, 403, 'The control API of this server is off.'],
] as const)(
  '%s with %j is a page for a browser, and JSON for a program',
  (line, options, status, text) => {
    const { call } = openServer(options);
    const page = call(line, undefined, browser);
    expect({ status: page.status, type: page.headers['content-type'] }).toEqual({
      status,
      type: html,
    });
    expect(page.body).toContain(text);
    expect(call(line)).toMatchObject({ status, body: { code: status } });
  },
);

test('a record that does not exist is JSON in a browser, too', () => {
  const { call } = openServer();
  const { status, body } = call('GET /api/orders/9999', undefined, browser);
  expect({ status, body }).toMatchObject({ status: 404, body: { code: 404 } });
});

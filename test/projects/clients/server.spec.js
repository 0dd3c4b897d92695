import { createServer } from 'node:http';
import supertest from 'supertest';
import { afterAll, expect, test } from 'vitest';
import { overHttp, overUndici } from './lines.js';

const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json').end('{"title":"Work","done":true}');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.each(Object.entries({ ...overHttp, ...overUndici }))('%s', async (name, lineOf) => {
  const url = `http://127.0.0.1:${server.address().port}/server/${name}`;
  expect(await lineOf(url)).toContain('Work');
});

test('a request that the test itself sends', async () => {
  const { body } = await supertest(server).get('/own');
  expect(body.title).toBe('Work');
});

/** @jest-environment jest-fixed-jsdom */
import 'backlot/jest';
import { createBackOffice, saveTrace } from 'backlot/node';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const office = createBackOffice({ history: true });

beforeAll(() => office.listen());
beforeEach(() => office.reset());
afterAll(() => office.close());

test('a page of jsdom sends requests', async () => {
  expect((await fetch('https://shop.test/api/users/1')).status).toBe(200);
  const status = await new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', '/api/users/1');
    request.onload = () => resolve(request.status);
    request.onerror = reject;
    request.send();
  });
  expect(status).toBe(200);
  expect(office).toHaveReceived('GET /api/users/:user_id', { times: 2 });
});

test('a trace is saved', async () => {
  await fetch('https://shop.test/api/users/1');
  const file = join(mkdtempSync(join(tmpdir(), 'trace-')), 'trace.html');
  await saveTrace(office.history.trace(), file);
  expect(readFileSync(file, 'utf8')).toContain('id="trace"');
});

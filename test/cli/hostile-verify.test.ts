import { createServer, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { controls, json, page, raw } from '../support/hostile.ts';
import { listen } from '../support/raw-http.ts';

test('verify says in one line that a server nests lists too deep, with exit code 2', async () => {
  const url = await listen(createServer(json('['.repeat(1e5) + ']'.repeat(1e5))));
  expect(await runCommand('verify', '--against', url)).toEqual({
    code: 2,
    out: '',
    err: expect.stringMatching(/^backlot: .+ nested more than 100.*\n$/),
  });
});

test.each<[string, RequestListener]>([
  ['null', json('null')],
  [
    'items of every kind',
    json(page([null, 1, 'a', [], { id: 1, name: '\uD800', toString: null }, { id: '1' }])),
  ],
  [
    'control characters in names, keys and links',
    json(page([{ id: 1, name: controls, [controls]: controls, href: `/api/${controls}` }])),
  ],
])(
  'verify reports a server that sends %s, with exit code 1, in each format',
  async (_, listener) => {
    const url = await listen(createServer(listener));
    for (const reporter of ['text', 'json', 'junit']) {
      const ended = await runCommand('verify', '--against', url, '--reporter', reporter);
      expect(ended).toMatchObject({ code: 1, err: '' });
      expect(ended.out).not.toMatch(raw);
      if (reporter === 'json') expect(JSON.parse(ended.out).findings.length).toBeGreaterThan(0);
    }
  },
);

test('verify shows no control characters of a server, and its report as JSON keeps them', async () => {
  const url = await listen(createServer(json(page([{ id: 1, name: controls, [controls]: 1 }]))));
  const ended = await runCommand(
    'verify',
    '--against',
    url,
    '--only',
    'zones',
    '--reporter',
    'json',
  );
  expect(ended).toMatchObject({ code: 1, err: '' });
  expect(ended.out).not.toMatch(raw);
  const { findings } = JSON.parse(ended.out);
  expect(JSON.stringify(findings)).toContain(String.raw`\\u001b]0;owned`);
  expect(ended.out).toContain(String.raw`\u009b31m\u007f`);
});

test('verify ends at --max-time with one line, however slowly a server responds', async () => {
  let received = 0;
  const url = await listen(
    createServer((request, response) => {
      received += 1;
      setTimeout(() => json(page([]))(request, response), 300);
    }),
  );
  const ended = await runCommand('verify', '--against', url, '--max-time', '1');
  expect(ended).toMatchObject({ code: 2, out: '' });
  expect(ended.err).toMatch(/^backlot: The check of \S+ took more than 1 s\. .*\n$/);
  expect(received).toBeLessThanOrEqual(4);
});

test('verify sends no credentials to a host that a created record names', async () => {
  const hosts = new Set<string | undefined>();
  const other = await listen(
    createServer((request, response) => {
      hosts.add('other');
      json({})(request, response);
    }),
  );
  const url = await listen(
    createServer((request, response) => {
      hosts.add('own');
      if (request.method !== 'POST') {
        json(page([]))(request, response);
        return;
      }
      const location = `@${new URL(other).host}/api/users/1`;
      response.writeHead(201, { 'content-type': 'application/json', location }).end('{}');
    }),
  );
  const ended = await runCommand('verify', '--against', url, '--write', '--token', 'secret');
  expect(ended.code).toBe(1);
  expect([...hosts]).toEqual(['own']);
});

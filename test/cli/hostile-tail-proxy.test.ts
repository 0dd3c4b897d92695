import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand, startCommand, startServer } from '../support/command.ts';
import { controls, json, raw } from '../support/hostile.ts';
import { ask, listen } from '../support/raw-http.ts';

/** A server whose events are one text. */
function events(text: string): RequestListener {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
  };
}

const summary = {
  id: 1,
  at: '2026-03-02T09:00:00+0000',
  by: 'request',
  meaning: '',
  outcome: 'ok',
  changed: 0,
};

const noEvents: readonly [name: string, listener: RequestListener][] = [
  ...['{}', 'null', '[null]', '5', '{"entries":[null]}', '{"entries":{}}', '{'].map(
    (data): [string, RequestListener] => [
      `sends the event ${data}`,
      events(`id: 1\ndata: ${data}\n\n`),
    ],
  ),
  [
    'nests an event 10,000 levels deep',
    events(`id: 1\ndata: ${'['.repeat(1e4)}${']'.repeat(1e4)}\n\n`),
  ],
  ['has control characters in its error', json({ message: controls }, 404)],
];

test.each(noEvents)(
  'tail ends with exit code 2 and one line at a server that %s',
  async (_, listener) => {
    const ended = await runCommand('tail', await listen(createServer(listener)));
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toMatch(/^backlot: \S+ has no events of Backlot: .*\n$/);
    expect(ended.err).not.toMatch(raw);
  },
);

test('tail sends its token to no other server', async () => {
  let wasCalled = false;
  const other = await listen(
    createServer((_, response) => {
      wasCalled = true;
      response.end();
    }),
  );
  const url = await listen(
    createServer((request, response) => {
      response.writeHead(307, { location: `${other}${request.url}` }).end();
    }),
  );
  const ended = await runCommand('tail', url, '--token', 'secret');
  expect(ended.err).toBe(`backlot: ${url} redirects to ${other}/_backlot/events. Pass that URL.\n`);
  expect(wasCalled).toBe(false);
});

test.each([[[]], [['--json']]])(
  'tail %j shows no control characters of a server',
  async (flags) => {
    const fields = [{ field: controls, before: controls, after: controls }];
    const changes = [{ table: controls, id: 1, kind: 'change', fields }];
    const entry = { ...summary, title: controls, reason: controls, changed: 1 };
    const url = await listen(
      createServer((request, response) => {
        const respond = request.url?.endsWith('/events')
          ? events(`id: 1\ndata: ${JSON.stringify({ entries: [entry] })}\n\n`)
          : json({ ...entry, changes, moves: [] });
        respond(request, response);
      }),
    );
    const { printed, stop } = startCommand('tail', url, ...flags);
    await expect.poll(printed).toContain('\n');
    const { out } = await stop();
    expect(out).toContain('gnp.exe');
    expect(out).not.toMatch(raw);
  },
);

function head(line: string): string {
  return `HTTP/1.1 ${line}\r\ncontent-length: 2\r\n\r\n{}`;
}

test('the proxy outlives every status line and header that it cannot send on', async () => {
  const responses: readonly [bytes: string, status: number][] = [
    [head('000 None'), 502],
    [head('099 Low'), 502],
    [head('999 High'), 999],
    [head('200 \u0001\u001B[31m\u007F\u0085'), 200],
    [`HTTP/1.1 200 OK\r\nx-odd: \u0001\u007F\r\ncontent-length: 2\r\n\r\n{}`, 502],
    [`HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n`, 502],
    ['', 502],
    ['not HTTP', 502],
  ];
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      const at = Number(/^GET \/api\/(\d+)/.exec(data.toString())?.[1]);
      socket.end(responses[at]?.[0] ?? head('200 OK'), 'latin1');
    });
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = await startServer('proxy', '--to', url);
  const statuses: number[] = [];
  for (const at of responses.keys()) {
    statuses.push((await ask(proxy.url, `GET /api/${at}`, { connection: 'close' })).status);
  }
  expect(statuses).toEqual(responses.map(([, status]) => status));
  expect(proxy.printed()).not.toMatch(raw);
  expect(proxy.warned()).toBe('');
});

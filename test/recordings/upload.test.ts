import { expect, test } from 'vitest';
import { replayRecording } from '../../src/cli/dropped-recording.ts';
import { startServer } from '../support/command.ts';
import { entries } from './foreign-recording.ts';
import { receivedRecording } from '../support/recording.ts';
import { openServer } from '../support/server.ts';

const url = '/_backlot/trace';
const headers = { 'content-type': 'application/json' };

test('the two minutes of a replay begin with its upload', () => {
  const { sessions } = openServer({ replayRecording });
  const timeouts = [0, 90_000, 120_000, 500_000].map((elapsed) => {
    const file = { ...receivedRecording(entries), elapsed };
    return sessions.answer({ method: 'POST', url, headers, file }).deferred?.timeout;
  });
  expect(timeouts).toEqual([120_000, 30_000, 0, 0]);
});

test('a server without replays says how a recording is replayed', () => {
  const { call } = openServer();
  expect(call(`POST ${url}`, { log: { entries } }).body).toEqual({
    help: 'Recordings are not replayed here. Run npx backlot replay shop.har --trace shop.html.',
  });
});

test.each([
  ['no JSON', '{"log":{"entries":[{]}}', 'The recording is damaged: entry 1 is not JSON.'],
  ['half a recording', '{"log":{"entries":[', 'The recording is cut off after entry 0.'],
  ['blanks', '  ', 'The recording is no HTTP archive (HAR): it has no log.entries.'],
  ['no UTF-8', new Uint8Array([0x7b, 0xff]), 'The recording is not UTF-8. Save it as UTF-8.'],
])('an upload of %s is refused in one sentence', async (_, body, message) => {
  const { url: server } = await startServer();
  const response = await fetch(server + url, { method: 'POST', headers, body });
  const { message: refused } = (await response.json()) as { message: string };
  expect([response.status, refused]).toEqual([400, expect.stringContaining(message)]);
});

test('an upload that is sent as text is refused with the content type that it requires', async () => {
  const { url: server } = await startServer();
  const response = await fetch(server + url, { method: 'POST', body: 'text' });
  expect(response.status).toBe(415);
});

test('uploads at the same time have turns of their own, and others are answered between them', async () => {
  const { url: server, call } = await startServer();
  const body = JSON.stringify({
    log: { entries: Array.from({ length: 200 }, () => entries).flat() },
  });
  const done: string[] = [];
  const uploads = [1, 2, 3].map(async (number) => {
    const response = await fetch(server + url, { method: 'POST', headers, body });
    done.push(`upload ${number}`);
    return response.status;
  });
  for (let count = 0; count < 5; count++) {
    expect((await call('GET /api/users/3')).status).toBe(200);
    done.push('read');
  }
  expect(await Promise.all(uploads)).toEqual([200, 200, 200]);
  expect(done.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'read'));
});

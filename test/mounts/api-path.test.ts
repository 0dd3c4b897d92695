import { expect, test } from 'vitest';
import { converse, type Turn } from '../support/conversation.ts';
import { mounts, plain, servers } from './mounts.ts';

const paths = ['/api/v1', '/rest/V1', ''];
const wanted = await converse(plain());

/** Returns turns as they are where the endpoints are at another path. */
function moved(turns: readonly Turn[], apiPath: string): Turn[] {
  const move = (text: string): string => text.replaceAll(/\/api(?=[/ ])/g, apiPath);
  return turns.map((turn) => ({
    ...turn,
    text: move(turn.text),
    location: turn.location === null ? null : move(turn.location),
    length: turn.text === '' ? null : turn.length && lengthOf(move(turn.text)),
  }));
}

function lengthOf(text: string): string {
  return String(Buffer.byteLength(text));
}

/** Leaves out the length of what HEAD does not return, and what an empty path has no address for. */
function comparable(turns: readonly Turn[], apiPath: string): Turn[] {
  return turns
    .filter(({ line }) => apiPath !== '' || line !== 'GET /api')
    .map((turn) => (turn.text === '' ? { ...turn, length: null } : turn));
}

const tried = Object.entries({ ...mounts, ...servers }).flatMap(([name, mount]) =>
  paths.map((apiPath) => [name, apiPath, mount] as const),
);

test.each(tried)(
  '%s returns the same bytes under %j but for the path',
  async (_, apiPath, mount) => {
    const turns = comparable(await mount({ apiPath, baseUrl: 'http://shop.test' }), apiPath);
    expect(turns).toEqual(comparable(moved(wanted, apiPath), apiPath));
    expect(turns.filter(({ status }) => status < 300).length).toBeGreaterThan(50);
  },
);

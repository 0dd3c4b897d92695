import { expect, test } from 'vitest';
import { converse, type Turn } from '../support/conversation.ts';
import { mounts, plain, servers } from './mounts.ts';

const wanted = await converse(plain());

/** happy-dom sends a preflight before each request, and MSW 3 receives it like any other OPTIONS. */
function comparable(turns: Turn[]): Turn[] {
  return turns.filter(({ line }) => !('happyDOM' in globalThis && line.startsWith('OPTIONS ')));
}

test('the conversation covers the contract', () => {
  const statuses = wanted.map(({ status }) => status);
  expect([...new Set(statuses)].toSorted((a, b) => a - b)).toEqual([
    200, 201, 204, 400, 404, 405, 413, 415,
  ]);
  expect(wanted.findLast(({ line }) => line.startsWith('GET /api/orders/last'))?.text).toContain(
    '"checkout_state":"completed"',
  );
});

const tried = 'document' in globalThis ? mounts : { ...mounts, ...servers };

test.each(Object.entries(tried))(
  '%s returns the responses of the core byte for byte',
  async (_, mount) => {
    expect(comparable(await mount())).toEqual(comparable(wanted));
  },
);

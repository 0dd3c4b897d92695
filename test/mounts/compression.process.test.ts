import { expect, test } from 'vitest';
import { startProgram } from '../support/program.ts';

// Only a built package has it.
test('HEAD of the page of traces has the ETag of GET, and status 304 for a client that has it', async () => {
  const { url } = await startProgram();
  const page = `${url}/_backlot/trace.html`;
  const etag = (await fetch(page)).headers.get('etag') ?? '';
  const head = await fetch(page, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), etag === '']).toEqual([200, etag, false]);
  const again = await fetch(page, { method: 'HEAD', headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});

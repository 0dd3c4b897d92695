import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { expectQuiet, runMeasured } from './measured.ts';
import { listen } from '../support/raw-http.ts';

test('tail stays small at a server that never ends a line', async () => {
  const url = await listen(
    createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = 'x'.repeat(65_536);
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', write);
      };
      write();
    }),
  );
  const ended = await runMeasured('tail', url);
  expect(ended).toMatchObject({ code: 2, out: '' });
  expect(ended.err).toMatch(/^backlot: \S+ has no events of Backlot: .*\n$/);
  expectQuiet(ended);
});

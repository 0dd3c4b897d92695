import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, inject, test } from 'vitest';
import { startServer } from '../support/command.ts';

test('tail prints what happens from now on, and ends with 0 at Ctrl+C', async () => {
  const { url, call } = await startServer('--quiet');
  await call('GET /api/users/1');
  const child = spawn(process.execPath, [inject('program'), 'tail', url]);
  const ended = once(child, 'exit');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (printed += text));
  await expect
    .poll(async () => {
      await call('GET /api/users/2');
      return printed;
    })
    .toMatch(/^#\d+ 200 node read user 2 /);
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});

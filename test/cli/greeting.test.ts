import { expect, test } from 'vitest';
import { startProgram } from '../support/program.ts';

test('on a loopback address the server prints nothing of other machines', async () => {
  for (const host of [[], ['--host', 'localhost']]) {
    const { printed } = await startProgram('--quiet', ...host);
    expect(printed()).not.toMatch(/^ *(open to|network) /m);
  }
});

test('on all addresses the server prints each of them, and all of them can be typed', async () => {
  for (const host of ['0.0.0.0', '::']) {
    const { printed } = await startProgram('--quiet', '--host', host);
    const urls = [...printed().matchAll(/http:\S+\/api\//g)].map(([url]) => url);
    expect(urls[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/$/);
    for (const url of urls) expect((await fetch(`${url}channels/1`)).status).toBe(200);
    expect(urls.join(' ')).not.toMatch(/0\.0\.0\.0|\[::\]/);
  }
});

test.each([
  [
    [],
    'any machine that can reach this one: the store API and the control API; --control-token <token> or --no-control closes that',
  ],
  [
    ['--control-token', 'x'],
    'any machine that can reach this one: the store API, and with the token the control API',
  ],
  [['--no-control'], 'any machine that can reach this one: the store API; not the control API'],
])(
  'on all addresses, with the flags %o, the server prints what is open to whom',
  async (flags, text) => {
    const { printed } = await startProgram('--quiet', '--host', '0.0.0.0', ...flags);
    expect(printed()).toContain(`  open to   ${text}\n`);
  },
);

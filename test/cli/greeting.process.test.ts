import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startServer } from '../support/command.ts';
import { greetingRow } from './greeting.ts';

test.each<[flags: readonly string[]]>([
  [[]],
  [['--no-control']],
  [['--control-token', 'x']],
  [['--scenario', 'authenticated']],
  [['--sessions', 'required']],
  [['--api-path', '/rest/V1', '--base-path', '/shop']],
])(
  'with the flags %j, the address and the request of the greeting are answered 200',
  async (flags) => {
    const { printed } = await startServer('--quiet', ...flags);
    expect((await fetch(greetingRow(printed(), 'address'))).status).toBe(200);
    const command = greetingRow(printed(), 'try').replaceAll('curl ', "curl -w '%{http_code}' ");
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(stdout).toMatch(/\}\s*200$/);
  },
);

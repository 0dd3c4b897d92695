import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

test('npx backlot lists the scenarios', async () => {
  const { stdout } = await promisify(execFile)('npx', ['backlot', 'scenarios']);
  assert.match(stdout, /^filled-cart +\w/m);
});

test('npx backlot serves the store API', async () => {
  const child = spawn('npx', ['backlot', '--port', '0', '--quiet', '--scenario', 'sale'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    let printed = '';
    for await (const text of child.stdout) {
      printed += text;
      if (printed.includes('Ctrl+C')) break;
    }
    const [url] = /http:\/\/[\d.:]+/.exec(printed);
    const headers = { prefer: 'status=503' };
    assert.equal((await fetch(`${url}/api/orders/`)).status, 200);
    assert.equal((await fetch(`${url}/api/orders/`, { headers })).status, 503);
    assert.equal((await fetch(`${url}/s/ada/api/orders/`)).status, 200);
  } finally {
    process.kill(-child.pid);
  }
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';

// That of the blocks of the docs.
const port = 14000;
const store = `http://127.0.0.1:${port}`;

test('a server component and the page read the session of the visitor', async () => {
  const backlot = start('npx', ['backlot', '--port', String(port), '--quiet']);
  const next = start('npx', ['next', 'start', '--port', '4518']);
  try {
    const url = 'http://127.0.0.1:4518';
    await Promise.all([printed(backlot, 'Ctrl+C'), printed(next, 'Ready')]);
    const body = JSON.stringify({ name: 'ada', scenario: 'empty' });
    const headers = { 'content-type': 'application/json' };
    const opened = await fetch(`${store}/_backlot/sessions`, { method: 'POST', headers, body });
    assert.equal(opened.status, 201);
    const cookie = 'backlot-session=ada';
    const rendered = async (sent) => (await fetch(`${url}/orders`, { headers: sent })).text();
    assert.match(await rendered({ cookie }), /orders: 0</);
    assert.match(await rendered({}), /orders: [1-9]/);
    const called = await fetch(`${url}/api/orders/`, { headers: { 'x-backlot-session': 'ada' } });
    assert.equal((await called.json()).total, 0);

    const order = { method: 'POST', headers, body: '{"channel":1,"user":1,"currency":"EUR"}' };
    const created = await fetch(`${url}/mock/api/orders/`, order);
    assert.equal(created.status, 201);
    const [own] = created.headers.get('set-cookie').split(';');
    const [{ status: mine }, { status: others }] = await Promise.all([
      fetch(`${url}/mock/api/orders/121`, { headers: { cookie: own } }),
      fetch(`${url}/mock/api/orders/121`),
    ]);
    assert.deepEqual([mine, others], [200, 404]);
  } finally {
    for (const child of [backlot, next]) process.kill(-child.pid);
  }
});

function start(command, args) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  return spawn(command, args, { stdio, detached: true });
}

async function printed(child, wanted) {
  let text = '';
  for await (const part of child.stdout.iterator({ destroyOnReturn: false })) {
    text += part;
    if (text.includes(wanted)) break;
  }
  child.stdout.resume();
}

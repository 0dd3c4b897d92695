import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright';

// The port is that of the blocks of the docs.
const flags = ['--port', '14000', '--sessions', 'own', '--scenario', 'filled-cart', '--quiet'];
const backlot = start('npx', ['backlot', ...flags]);
const url = 'http://127.0.0.1:4518';
let browser;

before(async () => {
  await printed(backlot, 'Ctrl+C');
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || undefined,
    args: ['--no-sandbox', '--disable-gpu'],
  });
});

after(async () => {
  await browser.close();
  process.kill(-backlot.pid);
});

for (const command of ['dev', 'start']) {
  test(`with next ${command}, page, server component and route handler have one session, and its studio`, async () => {
    const next = start('npx', ['next', command, '--port', '4518', '--hostname', '127.0.0.1']);
    try {
      await printed(next, 'Ready');
      const [ada, bob] = [await visit(), await visit()];
      const before = await totals(ada);
      assert.deepEqual(await totals(bob), before);
      assert.equal(new Set(before).size, 1);
      await ada.getByRole('button', { name: 'Add to cart' }).click();
      const more = before[0] + 1450;
      await ada.getByText(`total: ${more}`).waitFor();
      assert.deepEqual(await totals(ada), [more, more, more]);
      await bob.reload();
      assert.deepEqual(await totals(bob), before);
      await ada.goto(`${url}/_backlot/#/orders/1`);
      await ada
        .getByText(`${(more / 100).toFixed(2)} EUR`)
        .first()
        .waitFor();
    } finally {
      process.kill(-next.pid);
      await new Promise((resolve) => next.once('exit', resolve));
    }
  });
}

test('a route handler serves the shop itself, with a session for each visitor', async () => {
  const next = start('npx', ['next', 'start', '--port', '4518']);
  try {
    await printed(next, 'Ready');
    const headers = { 'content-type': 'application/json' };
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
    process.kill(-next.pid);
  }
});

/** Opens the page in a browser of its own. */
async function visit() {
  const context = await browser.newContext();
  // `next dev` compiles each route at its first request.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto(`${url}/_backlot/begin?to=/cart`);
  return page;
}

/** Returns the total of the cart that the server component, the page and the route handler read. */
async function totals(page) {
  const text = await page.getByText('total: ').textContent();
  const others = await page.evaluate(() =>
    Promise.all(
      ['/api/orders/1', '/total'].map(async (path) => (await (await fetch(path)).json()).total),
    ),
  );
  return [Number(text.replace('total: ', '')), ...others];
}

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

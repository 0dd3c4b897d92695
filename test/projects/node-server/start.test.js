import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

/** Milliseconds. */
const timeout = 30_000;

/** Starts a server by npm, without a terminal. Returns the process of npm, what it printed, and the URL. */
async function start(command, ...args) {
  const npm = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  npm.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  while (!printed.includes('/_backlot/')) await once(npm.stdout, 'data');
  return { npm, printed, url: /http:\/\/127\.0\.0\.1:\d+/.exec(printed)[0] };
}

async function isServed(url) {
  return fetch(`${url}/api/users/1`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function ends(url) {
  for (let tries = 0; tries < 50; tries++) {
    if (!(await isServed(url))) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

const commands = [
  ['npx', 'backlot', '--port', '0', '--quiet'],
  ['npm', 'start'],
  ['npm', 'run', 'serve-then-echo'],
];
for (const command of commands) {
  test(`SIGTERM to the process of ${command.join(' ')} ends the server`, { timeout }, async () => {
    const { npm, url } = await start(...command);
    assert.ok(await isServed(url));
    npm.kill();
    assert.ok(await ends(url));
  });
}

test(
  'a server that a script starts in the background outlives the script',
  { timeout },
  async () => {
    const { printed, url } = await start('npm', 'run', 'serve-in-background');
    const id = Number(/the process is (\d+)/.exec(printed)[1]);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    assert.ok(await isServed(url));
    process.kill(id);
    assert.ok(await ends(url));
  },
);

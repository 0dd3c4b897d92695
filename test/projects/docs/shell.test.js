import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

/** Runs what the docs type into a shell. Other programs may use the port 4000. */
const program = resolve('node_modules/backlot/dist/cli/main.js');
const url = 'http://127.0.0.1:14000';
const folder = mkdtempSync(join(tmpdir(), 'backlot-shell-'));

/** Returns the commands of a block, and what the last of them prints. */
function blockOf(path) {
  const text = readFileSync(path, 'utf8').trimEnd();
  if (!text.startsWith('$ ')) return { commands: text.split('\n') };
  const lines = text.split('\n');
  const commands = lines.filter((line) => line.startsWith('$ '));
  const printed = lines.slice(lines.indexOf(commands.at(-1)) + 1).join('\n');
  return { commands: commands.map((line) => line.slice('$ '.length)), printed };
}

/** Returns the arguments of a command of Backlot. */
function argsOf(command) {
  assert.match(command, /^npx backlot\b/);
  const words = command.replace(/ +#.*| [&>].*/, '').split(' ');
  return words.slice(2).map((word) => word.replace(/\b4000$/, '14000'));
}

/** Starts the server that a command starts, until it or its test ends. Returns what it has printed. */
async function serve(context, command, { port = 14000 } = {}) {
  const args = argsOf(command);
  const own = args.includes('--port') ? [] : ['--port', String(port)];
  const child = spawn(process.execPath, [program, ...args, ...own], { cwd: folder });
  const end = async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  context.after(end);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  for (let left = 300; !printed.includes('Ctrl+C'); left--) {
    assert.ok(left > 0 && child.exitCode === null, `${command}: ${printed}`);
    await new Promise((done) => setTimeout(done, 100));
  }
  return { printed: () => printed, end };
}

/** Runs a command of Backlot to its end. */
function run(args) {
  return new Promise((done) => {
    execFile(process.execPath, [program, ...args], { cwd: folder }, (error, out, err) =>
      done({ code: error?.code ?? 0, out: out.trimEnd(), err }),
    );
  });
}

async function until(isMet, say) {
  for (let left = 300; !isMet(); left--) {
    assert.ok(left > 0, say());
    await new Promise((done) => setTimeout(done, 100));
  }
}

const post = (path, body) =>
  fetch(`${url}/api${path}`, { method: 'POST', body: new URLSearchParams(body) });

const servers = [
  ...blockOf('blocks/as-a-server-as-a-server.console').commands,
  ...blockOf('blocks/stores-one-server-a-folder.sh').commands,
];

for (const command of servers) {
  test(`\`${command}\` serves`, async (context) => {
    await serve(context, command);
    assert.equal((await fetch(`${url}/_backlot/health`)).status, 200);
  });
}

test('a terminal follows what was refused', async (context) => {
  const { commands, printed } = blockOf('blocks/control-api-follow-it-in-a-terminal.console');
  await serve(context, 'npx backlot');
  const child = spawn(process.execPath, [program, ...argsOf(commands[0]), '--since', '0']);
  let followed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (followed += text));
  context.after(() => child.kill());
  await post('/orders/', { channel: 1, user: 3, currency: 'EUR' });
  await post('/orders/121/items/', { variant: 7, quantity: 1 });
  const [documented] = printed.split('\n');
  const withoutTime = (line) => line.replace(/[\d.]+ ms/, '…').trim();
  await until(
    () => followed.split('\n').some((line) => withoutTime(line) === withoutTime(documented)),
    () => followed,
  );
});

test('an explanation is that of the docs', async (context) => {
  const { commands, printed } = blockOf('blocks/explain-explanations.console');
  await serve(context, 'npx backlot --scenario sale');
  const { out } = await run([...argsOf(commands[0]), '--port', '14000']);
  assert.equal(out, printed);
});

test('the commands of the skill print what their table says', async (context) => {
  const { commands } = blockOf('blocks/skill-skill-read-little.console');
  await serve(context, 'npx backlot');
  const [contract, open, brief, order] = commands;
  assert.match((await run(argsOf(contract))).out, /channel/);
  for (const [command, printed] of [
    [open, /order 121 awaits payment/],
    [brief, /"changed":/],
    [order, /Order 121, cart/],
  ]) {
    const { out } = await run([...argsOf(command), '--port', '14000']);
    assert.match(out, printed);
  }
});

test('coverage is counted, shown and merged', async (context) => {
  const { commands } = blockOf('blocks/coverage-on-a-server.console');
  const [start, all, one, merge] = commands;
  const { end } = await serve(context, start);
  for (const command of [all, one]) {
    const [, path] = /^curl localhost:4000(\S+)/.exec(command);
    const response = await fetch(`${url}${path}`);
    assert.match(await response.text(), /"backlot":"coverage/);
  }
  await end();
  for (const name of ['a.json', 'b.json'])
    copyFileSync(join(folder, 'coverage.json'), join(folder, name));
  assert.equal((await run(argsOf(merge))).code, 1);
  assert.match(readFileSync(join(folder, 'all.html'), 'utf8'), /<html/);
});

test('another system is compared with the contract, and watched', async (context) => {
  const [verify] = blockOf('blocks/drift-drift.console').commands;
  const [proxy] = blockOf('blocks/proxy-proxy.console').commands;
  await serve(context, 'npx backlot --scenario authenticated', { port: 14001 });
  const here = (text) => text.replace(/https:\/\/\S+/, 'http://127.0.0.1:14001');
  const account = here(verify)
    .replace(/--user \S+/, '--user api@example.com:api')
    .replace(/--client \S+/, '--client demo_client:secret_demo_client');
  const { out } = await run(argsOf(account));
  assert.match(out, /127\.0\.0\.1:14001 \w/);
  const watching = await serve(context, here(proxy));
  await post('/orders/', { channel: 1 });
  await until(() => /^[\d:]+ POST +401 /m.test(watching.printed()), watching.printed);
});

test('workflows are written', async (context) => {
  const [server, arazzo] = blockOf('blocks/workflows-run-them.console').commands;
  await serve(context, server);
  assert.match((await run(argsOf(arazzo))).out, /"arazzo"/);
});

test('several servers require Redis', async (context) => {
  const { commands } = blockOf('blocks/stores-several-servers-redis.sh');
  const { err } = await run(argsOf(commands.at(-1)));
  assert.match(err, /requires the package redis\. .*errors#store-redis/);
});

test('a sound definition is called so', async (context) => {
  const { printed } = blockOf('blocks/your-shop-check-it.console');
  const config = resolve('blocks/your-shop-a-rule.ts');
  const { out } = await run(['check', '--config', config]);
  assert.equal(out.replace(config, 'backlot.config.ts'), printed);
});

/** The blocks of the page of errors that are of a shell. */
const errors = [
  'blocks/errors-no-definition.console',
  'blocks/errors-no-response.console',
  'blocks/errors-port-in-use.console',
  'blocks/errors-store-folder.console',
  'blocks/errors-store-redis.console',
];

for (const path of errors) {
  const [, name] = /errors-(.*)\.console/.exec(path);
  test(`the error ${name} has the message of the docs, and the address of its entry`, async (context) => {
    mkdirSync(join(folder, 'src'), { recursive: true });
    writeFileSync(join(folder, 'src/main.ts'), '');
    const { commands, printed } = blockOf(path);
    const server = commands.length > 1 ? await serve(context, commands[0]) : undefined;
    const args = argsOf(commands.at(-1));
    const { err } = await run(args.length === 0 ? ['--port', '14000'] : args);
    const expected = `${printed} See https://backlot-dev.github.io/backlot/errors#${name}`;
    assert.equal(err.trim().replace('14000', '4000'), expected);
  });
}

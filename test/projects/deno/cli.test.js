import assert from 'node:assert/strict';

/** As `deno run -A npm:backlot` runs it. */
const run = (...flags) =>
  new Deno.Command(Deno.execPath(), {
    args: ['run', '-A', 'node_modules/backlot/dist/cli/main.js', ...flags],
    stdout: 'piped',
    stderr: 'inherit',
  });

Deno.test('the program prints its version', async () => {
  const { success, stdout } = await run('--version').output();
  assert.ok(success);
  assert.match(new TextDecoder().decode(stdout), /\d+\.\d+\.\d+/);
});

Deno.test('the program serves until it is ended', async () => {
  const program = run('--port', '0').spawn();
  let url;
  let printed = '';
  for await (const text of program.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text;
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
    if (url !== undefined) break;
  }
  const response = await fetch(`${url}/api/users/1`);
  assert.equal(response.status, 200);
  await response.body?.cancel();
  program.kill('SIGTERM');
  assert.equal((await program.status).code, 0);
});

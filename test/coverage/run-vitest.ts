/** Runs vitest as often as the lines of its input say, in one process: a start of it takes longer than these small runs. */
import { createInterface } from 'node:readline';
import { startVitest } from 'vitest/node';

const write = process.stdout.write.bind(process.stdout);

for await (const line of createInterface({ input: process.stdin })) {
  const { root, blob, ...options } = JSON.parse(line) as {
    readonly root: string;
    readonly blob?: string;
  };
  if (blob === undefined) delete process.env['BLOB'];
  else process.env['BLOB'] = blob;
  process.exitCode = 0;
  let out = '';
  const collect = (chunk: string | Uint8Array): boolean => {
    out += String(chunk);
    return true;
  };
  Object.assign(process.stdout, { write: collect });
  Object.assign(process.stderr, { write: collect });
  const vitest = await startVitest([], { root, watch: false, configLoader: 'native', ...options });
  await vitest.close();
  write(`${JSON.stringify({ code: process.exitCode, out })}\n`);
}
process.exitCode = 0;

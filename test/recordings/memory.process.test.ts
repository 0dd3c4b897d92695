import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { inject, expect, test } from 'vitest';
import { openOffice } from '../support/office.ts';
import { runScript } from '../support/program.ts';
import { Recording, savedFile } from '../support/recording.ts';

const megabyte = 1_048_576;

/** Writes a recording of some size, which sends the same requests again and again, one each second. */
async function largeRecording(size: number): Promise<string> {
  const office = openOffice();
  const recording = new Recording();
  const send = recording.recorded((url, init) => office.fetch(url, init));
  for (const path of ['orders/1/', 'orders/?limit=20', 'products/3', 'users/7', 'orders/88/'])
    await send(`https://shop.test/api/${path}`, { method: 'GET' });
  const { entries } = recording;
  const start = Date.UTC(2026, 2, 2);
  const file = savedFile('large.har', '');
  const out = createWriteStream(file);
  out.write('{"log":{"entries":[');
  for (let [written, count] = [0, 0]; written < size; count++) {
    const startedDateTime = new Date(start + count * 1000).toISOString();
    const entry = JSON.stringify({ ...entries[count % entries.length], startedDateTime });
    const text = `${count === 0 ? '' : ','}${entry}`;
    written += text.length;
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end(']}}');
  await once(out, 'finish');
  return file;
}

test('a recording of 300 MB is replayed in 200 MB of memory', { tags: 'long' }, async () => {
  const file = await largeRecording(300 * megabyte);
  // `maxRSS` of a process begins with the memory of the one that started it.
  const report =
    "import fs from 'node:fs'; process.on('exit', () => console.error(fs.readFileSync('/proc/self/status', 'utf8')));";
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}` };
  const { code, out, err } = await runScript(inject('program'), env, dirname(file), [
    'replay',
    file,
  ]);
  expect(out).toContain('no differences in');
  expect(code).toBe(0);
  const [, kilobytes = 'unknown'] = /VmHWM:\s+(\d+)/.exec(err) ?? [];
  expect(Number(kilobytes) / 1024).toBeLessThan(200);
});

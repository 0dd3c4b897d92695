import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { inject, expect, test } from 'vitest';
import { openOffice } from '../support/office.ts';
import { runScript } from '../support/program.ts';
import { Recording, savedFile } from '../support/recording.ts';

const megabyte = 1_048_576;

/** Writes a recording of some size, whose entries are repeated. */
async function largeRecording(size: number): Promise<string> {
  const office = openOffice();
  const recording = new Recording();
  const send = recording.recorded((url, init) => office.fetch(url, init));
  for (const path of ['orders/1/', 'orders/?limit=20', 'products/3', 'users/7', 'orders/88/'])
    await send(`https://shop.test/api/${path}`, { method: 'GET' });
  const entries = recording.entries.map((entry) => JSON.stringify(entry));
  const file = savedFile('large.har', '');
  const out = createWriteStream(file);
  out.write('{"log":{"entries":[');
  for (let [written, count] = [0, 0]; written < size; count++) {
    const text = `${count === 0 ? '' : ','}${entries[count % entries.length]}`;
    written += text.length;
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end(']}}');
  await once(out, 'finish');
  return file;
}

test('a recording of 300 MB is replayed in 200 MB of memory', { tags: 'long' }, async () => {
  const file = await largeRecording(300 * megabyte);
  const report =
    "process.on('exit', () => console.error(`peak ${process.resourceUsage().maxRSS}`));";
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}` };
  const { code, out, err } = await runScript(inject('program'), env, dirname(file), [
    'replay',
    file,
  ]);
  expect(out).toContain('no differences in');
  expect(code).toBe(0);
  const [, kilobytes = 'unknown'] = /peak (\d+)/.exec(err) ?? [];
  expect(Number(kilobytes) / 1024).toBeLessThan(200);
});

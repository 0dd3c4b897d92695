import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { caller, openOffice } from '../support/office.ts';
import { runCommand } from '../support/command.ts';
import { harText, Recording, savedFile } from '../support/recording.ts';

/** Records the creation of a user, the reading of an order and its list, by a server that may add a cent to its total. */
async function recording(cents = 0): Promise<Recording> {
  const office = openOffice();
  const recorded = new Recording();
  const send = recorded.recorded(async (url, init) => {
    const response = await office.fetch(url, init);
    const text = (await response.text()).replaceAll(
      /"total":(\d+)(?=,"confirmed")/g,
      (_, total: string) => `"total":${Number(total) + cents}`,
    );
    const { status, headers } = response;
    return new Response(text, { status, headers });
  });
  const call = caller(send, 'https://shop.test');
  await call('POST /api/users/', {
    firstName: 'Ada',
    lastName: 'Novak',
    email: 'ada.novak@example.com',
    plainPassword: 'correct horse',
  });
  await call('GET /api/orders/1/?access_token=very-secret');
  return recorded;
}

test('replay says that a recording has no differences', async () => {
  const file = (await recording()).save();
  const { code, out, err } = await runCommand('replay', file);
  expect(out).toBe(`${file}: no differences in 2 requests to 2 endpoints of https://shop.test.\n`);
  expect([code, err]).toEqual([0, '']);
});

test('replay prints each difference with the request, both responses and the rule', async () => {
  const file = (await recording(1)).save();
  const { code, out } = await runCommand('replay', file);
  expect(out).toMatch(
    new RegExp(
      [
        '^GET /api/orders/:order_id/ \\(Read an order or a cart\\)',
        '  at        body\\.total',
        '  expected  (\\d+): items_total \\+ adjustments_total, at least 0',
        '  received  \\d+',
        '  rule      total',
        String.raw`  request   GET /api/orders/1/\?access_token=\*\*\* \(entry 2 of .*shop\.har\)`,
        '  recorded  200 \\{"id":1,.*',
        '  replayed  200 \\{"id":1,.*',
      ].join('\n'),
    ),
  );
  expect(out).toMatch(/1 difference in 2 requests to 2 endpoints of https:\/\/shop\.test\.\n$/);
  expect(out).not.toMatch(/very-secret|correct horse/);
  expect(code).toBe(1);
});

test('replay reports as JSON and as JUnit', async () => {
  const file = (await recording(1)).save();
  const json = await runCommand('replay', file, '--reporter', 'json');
  expect(JSON.parse(json.out)).toMatchObject([
    { url: 'https://shop.test', requests: 2, findings: [{ kind: 'total', entry: 2, count: 1 }] },
  ]);
  const junit = await runCommand('replay', file, '--reporter', 'junit');
  expect(junit.out).toContain('<testsuite name="backlot replay" tests="2" failures="2">');
  expect([json.code, junit.code]).toEqual([1, 1]);
});

test('a baseline has the known differences, and only others fail the command', async () => {
  const file = (await recording(1)).save();
  const baseline = join(dirname(file), 'known.json');
  const first = await runCommand('replay', file, '--baseline', baseline);
  expect(first).toMatchObject({ code: 0, err: expect.stringContaining('1 findings are known') });
  expect(JSON.parse(readFileSync(baseline, 'utf8'))).toEqual({
    backlot: 'replay',
    version: 1,
    findings: ['GET /api/orders/:order_id/ total body.total'],
  });
  const second = await runCommand('replay', (await recording(2)).save(), '--baseline', baseline);
  expect(second).toMatchObject({ code: 0, out: expect.stringContaining('no differences') });
});

test('the recordings of a folder are replayed, each in a shop of its own', async () => {
  const file = (await recording()).save();
  const packed = gzipSync((await recording(1)).text());
  writeFileSync(join(dirname(file), 'packed.har.gz'), packed);
  writeFileSync(join(dirname(file), 'notes.txt'), '');
  const { code, out } = await runCommand('replay', dirname(file));
  expect(out).toMatch(/packed\.har\.gz: 1 difference in 2 requests[^]*shop\.har: no differences/);
  expect(code).toBe(1);
});

test('a recording that cannot be replayed ends with one line and exit code 2', async () => {
  const file = savedFile('half.har', harText([{}, {}]).slice(0, -6));
  const { code, out, err } = await runCommand('replay', file);
  expect(err).toBe(`backlot: ${file} is cut off after entry 1. Record it again.\n`);
  expect([code, out]).toEqual([2, '']);
});

test('a scenario that does not exist is refused', async () => {
  const { code, err } = await runCommand('replay', savedFile('a.har', ''), '--scenario', 'sail');
  expect(err).toContain("Scenario 'sail' not found. Pass a file or one of default");
  expect(code).toBe(2);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Ended } from '../support/program.ts';
import { openSuite, suite } from '../support/suite.ts';

const { shop, run } = openSuite();

interface Cell {
  readonly test: string;
  readonly title: string;
  readonly fault: string;
  readonly tone: string;
  readonly reason: string;
  readonly before?: string;
  readonly after?: string;
}

let ended: Ended;
let cells: readonly Cell[];

beforeAll(async () => {
  const faults = ['drop', 'malformed', '503', '401'].flatMap((one) => ['--fault', one]);
  const outs = ['cells.json', 'cells.html'].flatMap((one) => ['--out', one]);
  ended = await run(['chaos', ...faults, ...outs, ...suite], { CASES: 'verdicts.cases.ts' });
  ({ cells } = JSON.parse(written('cells.json')) as { cells: readonly Cell[] });
});

function written(name: string): string {
  return readFileSync(join(shop, name), 'utf8');
}

/** Returns the verdicts on a test, by the fault. */
function verdictsOn(name: string): Readonly<Record<string, string>> {
  const ofTest = cells.filter((cell) => cell.test.endsWith(name));
  return Object.fromEntries(ofTest.map(({ fault, tone, reason }) => [fault, `${tone}: ${reason}`]));
}

const all = ['drop', 'malformed', '503', '401'];

/** Returns the same verdict on each fault. */
function each(verdict: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(all.map((fault) => [fault, verdict]));
}

const later = 'The user cannot be shown now.';

test.each([
  'a page that tells',
  'a page that shows what it had hidden',
  'a page with a shadow tree',
])('%s survives each fault, whatever stood there before', (name) => {
  expect(verdictsOn(name)).toEqual(each(`green: The page says “${later}”.`));
});

test('a long message is a message, and is cut where it is told', () => {
  const [verdict] = Object.values(verdictsOn('a page that tells much'));
  expect(verdict).toMatch(/^green: The page says “The user cannot be shown now\. .{90}…”\.$/);
});

test.each([
  ['shows a name without its value', 'The page says nothing: it shows “name:”.'],
  ['shows undefined', 'The page says nothing, and shows “Hello undefined”.'],
  ['loads for ever', 'The page says nothing: it shows “Loading …”.'],
])('a page that %s says nothing', (name, reason) => {
  expect(verdictsOn(name)).toEqual(each(`red: ${reason}`));
});

test('a control that stays off is no message, and a number of a list is no value of a field', () => {
  for (const name of ['a page whose button stays disabled', 'a list that numbers its items'])
    for (const verdict of Object.values(verdictsOn(name)))
      expect(verdict).toMatch(
        /^red: The page says nothing: it (still )?shows “(disabled Save|Users)”\.$/,
      );
});

test('a cell has the texts before and after in each format', () => {
  const cell = cells.find(({ test: name }) => name === 'a page that loads for ever');
  expect(cell).toMatchObject({ before: 'User', after: 'Loading …' });
  expect(ended.out).toContain('\n  Before: “User”. After: “Loading …”.\n');
  expect(written('cells.html')).toContain('Before: “User”. After: “Loading …”.');
});

test('a request that a test answers with an error has no fault, and a test of a failure judges nothing', () => {
  for (const name of ['an outage', 'a lost connection'])
    expect(verdictsOn(name)).toEqual(
      each('grey: The test expects a failure: something goes wrong without the fault, too.'),
    );
  expect(cells.filter(({ title }) => title === 'GET /more')).toEqual([]);
  expect(ended.out).toContain(
    'Without a fault, because their tests answer them with an error: GET /more.',
  );
});

test('a request of the test itself by office.fetch has no fault', () => {
  const ofTest = cells.filter(({ test: name }) => name === 'a page that is compared with the API');
  expect(new Set(ofTest.map(({ title }) => title))).toEqual(
    new Set(['GET /api/orders/:order_id/']),
  );
  expect(verdictsOn('a page that is compared with the API')).toEqual(
    each('green: The page says “The order cannot be shown.”.'),
  );
});

test('without a page, the error of the caller is judged, and this is said before the first trial', () => {
  expect(ended.out).toMatch(
    /^7 of 20 tests show no page: judged is the error that the code under test throws\.\n/,
  );
  expect(verdictsOn('a caller with an error of its own')).toEqual(
    each('green: The caller throws UserError: No user.'),
  );
  expect(verdictsOn('a caller that rejects, as an assertion says')).toMatchObject({
    drop: 'green: The caller throws TypeError: Failed to fetch.',
    malformed: expect.stringMatching(/^red: The caller throws SyntaxError: Unexpected token/),
    503: 'green: The caller throws Error: Status 503.',
  });
  expect(verdictsOn('a caller that trusts the response')).toMatchObject({
    503: expect.stringMatching(
      /^grey: The assertion does not tell an error from a wrong value: expected undefined to be 'Ada'/,
    ),
  });
  expect(verdictsOn('a caller that returns something else')).toEqual(
    each(`red: The caller returns a wrong value: expected '' to be 'Ada'.`),
  );
  expect(verdictsOn('a caller that is silent')).toEqual(
    each('red: The caller says nothing: the test passes in spite of the fault.'),
  );
  expect(verdictsOn('a caller that asks again')).toEqual(
    each('green: The request is sent again, and the test passes.'),
  );
  expect(verdictsOn('a caller that reads no body')).toMatchObject({
    malformed: 'green: Nothing reads the response, and the test passes.',
    401: expect.stringMatching(/^green: .*401/),
  });
});

test('the faults of a request with one reason are one line, and no test controls the terminal', () => {
  const lines = ended.out.split('\n').filter((line) => line.startsWith('✗ '));
  expect(lines).toContain(
    '✗ GET /user under drop, malformed, 503, 401: The page says nothing: it shows “name:”.',
  );
  expect(ended.out).toContain('\n?[2Ja page that controls a terminal\n');
  expect(ended.out).toContain('it still shows “?[31mUsers?”');
  // oxlint-disable-next-line no-control-regex -- none of them is printed
  expect(ended.out).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u0080-\u009F]/);
});

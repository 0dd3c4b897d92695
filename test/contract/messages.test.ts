// @module-tag slow

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FormChildren } from '../../src/rest/form.ts';
import { contract } from '../../src/resources/index.ts';
import { oauthEndpoints } from '../../src/resources/oauth.ts';
import { unlisted } from '../support/messages.ts';
import { openOffice, type Office } from '../support/office.ts';
import { at, openSmallShop } from '../support/small-shop.ts';
import { runs } from '../support/runs.ts';

const offices: Readonly<Record<string, Office>> = {
  default: openOffice(),
  lenient: openOffice({ settings: { unknownParameters: 'ignore', requestMoney: 'major' } }),
  'back again': openOffice({ settings: { declinedStatus: 402, stepBack: true } }),
  small: openSmallShop({ settings: { backorders: false, expiry: 'ignore' } }),
  guarded: openOffice({ scenario: 'authenticated' }),
};
const rows = [...contract, ...oauthEndpoints].map((row) => ({
  name: `${row.method} ${row.path}: ${row.summary}`,
  row,
}));
type Row = (typeof rows)[number]['row'];

/** Values that most parameters reject. */
const wrong: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, '', ' ', true, false, [], {}, [[]], [{}], { 0: {} }, { 0: [] }, { x: 1 }),
  fc.constantFrom(-1, 0, 0.5, 99, 2 ** 53, -(2 ** 53), 1e13, 1e21, 1e300, Number.MIN_VALUE),
  fc.constantFrom('1', '-1', '1.5', '1e3', '9'.repeat(30), 'on', 'é'.repeat(300), '\u0000', '😀'),
  fc.constantFrom('2026-03-02', '4242424242424242', 'customer@example.com', 'EUR', 'desc'),
  // Existing unique values: codes and an e-mail.
  fc.constantFrom('WEB-IE', 'GWY', 'WELCOME10', 'api@example.com', 'CHANNEL-1'),
  fc.integer({ min: -2, max: 3 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constant({ a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Forms with any of their parameters, and those of blocks, wrong or missing. */
function damaged(children: FormChildren, good: unknown): fc.Arbitrary<Record<string, unknown>> {
  const values = (typeof good === 'object' && good !== null ? good : {}) as Record<string, unknown>;
  const names = [...new Set([...Object.keys(children), ...Object.keys(values), 'nothing'])];
  const fields = names.map((name) => {
    const block = children[name] ?? {};
    const inner = values[name];
    const isBlock = Object.keys(block).length > 0 || (typeof inner === 'object' && inner !== null);
    return fc.oneof(
      { arbitrary: fc.constant(name === 'nothing' ? [] : [[name, inner]]), weight: 4 },
      { arbitrary: fc.constant([]), weight: 1 },
      { arbitrary: wrong.map((value) => [[name, value]]), weight: 2 },
      ...(isBlock
        ? [{ arbitrary: damaged(block, inner).map((value) => [[name, value]]), weight: 2 }]
        : []),
    );
  });
  return fc.tuple(...fields).map((entries) => Object.fromEntries(entries.flat()));
}

interface Asked {
  readonly shop: string;
  readonly url: string;
  readonly sent: Encoded | undefined;
}

function requestsOf(row: Row): fc.Arbitrary<Asked> {
  const { method, example } = row;
  const shops = row.path.startsWith('/api/') ? Object.keys(offices) : ['guarded'];
  const [path = ''] = example.url.split('?');
  const ids = fc.constantFrom(...Object.values(at), 99, 'x', '%00', '9'.repeat(20));
  const paths = fc.oneof(
    { arbitrary: fc.constant(path), weight: 5 },
    { arbitrary: ids.map((id) => row.path.replaceAll(/:\w+/g, String(id))), weight: 2 },
  );
  const query = damaged(row.query?.children ?? {}, {});
  const body = fc.oneof(
    { arbitrary: damaged(row.body?.children ?? {}, example.body), weight: 9 },
    { arbitrary: wrong, weight: 1 },
  );
  const encodings = fc.constantFrom(asJson, asFlatJson, asForm, asMultipart, asNonsense);
  return fc
    .tuple(fc.constantFrom(...shops), paths, query, body, encodings)
    .map(([shop, where, asked, sent, encode]) => ({
      shop,
      url: `${where}?${parametersOf(asked)}`,
      sent: method === 'GET' ? undefined : encode(sent),
    }));
}

test.each(rows)('every error message of $name is listed in docs/decisions.md', async ({ row }) => {
  await fc.assert(
    fc.asyncProperty(requestsOf(row), async ({ shop, url, sent }) => {
      const response = await offices[shop]?.fetch(url, { method: row.method, ...sent });
      expect(response?.status).toBeLessThan(500);
      if (response?.ok === true) offices[shop]?.reset();
      else expect(unlisted(await response?.json())).toEqual([]);
    }),
    { numRuns: runs(150) },
  );
});

interface Encoded {
  readonly body: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = { 'content-type': 'application/json' };

function asJson(sent: unknown): Encoded {
  return { body: JSON.stringify(sent), headers: json };
}

function asFlatJson(sent: unknown): Encoded {
  return { body: JSON.stringify(Object.fromEntries(entriesOf(sent))), headers: json };
}

function asForm(sent: unknown): Encoded {
  return { body: parametersOf(sent) };
}

function parametersOf(sent: unknown): URLSearchParams {
  return new URLSearchParams(entriesOf(sent).map(([name, value]) => [name, textOf(value)]));
}

function asMultipart(sent: unknown): Encoded {
  const body = new FormData();
  for (const [name, value] of entriesOf(sent)) body.append(name, textOf(value));
  return { body };
}

/** Encodes a body that does not match its content type. */
function asNonsense(sent: unknown): Encoded {
  const text = JSON.stringify(sent);
  const types = [...Object.values(json), 'multipart/form-data; boundary=x', 'text/plain', ''];
  const type = types[text.length % types.length] ?? '';
  return { body: text.slice(0, -1), headers: { 'content-type': type } };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `[['shippingAddress[city]', 'Galway'], ['locales[0]', 1]]` */
function entriesOf(sent: unknown): [name: string, value: unknown][] {
  if (typeof sent !== 'object' || sent === null) return [['', sent]];
  const walk = (name: string, value: unknown): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => walk(`${name}[${key}]`, inner))
      : [[name, value]];
  return Object.entries(sent).flatMap(([name, value]) => walk(name, value));
}

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { oauthEndpoints } from '../../src/shop/resources/oauth.ts';
import { damaged, entriesOf, parametersOf, textOf, wrong } from '../support/damaged.ts';
import { unlisted } from './messages.ts';
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

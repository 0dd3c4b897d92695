import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { extendApi, field, resource, storeApi } from '../../src/define.ts';
import type { ApiDefinition } from '../../src/engine/definition/api.ts';
import { namedPath } from '../../src/engine/lib/api-path.ts';
import { readRecording, scenarioOfShop, type PulledScenario } from '../../src/verify/pull/pull.ts';
import { textFieldsOf } from '../../src/verify/pull/text-fields.ts';
import { caller, openOffice, type Call } from '../support/office.ts';
import { Recording } from '../support/recording.ts';
import { placeOrder } from './written-persons.ts';

const ada = {
  first: 'Ada',
  last: 'Novotná',
  street: 'Dlouhá 12',
  city: 'Brno',
  email: 'ada.novotna@post.test',
  password: 'correct horse',
};

/** Saves what the reads of a shop show after some writes. @param write returns the paths that are read */
async function recorded(
  write: (call: Call) => Promise<readonly string[]>,
  api: ApiDefinition = storeApi,
) {
  const office = openOffice({ scenario: 'empty', api });
  const paths = await write(office.call);
  const recording = new Recording();
  const call = caller(recording.recorded((url, init) => office.fetch(url, init)));
  for (const path of paths) expect(await call(`GET ${path}`)).toMatchObject({ status: 200 });
  return recording.save();
}

async function anonymised(
  file: string,
  { api = storeApi, keep = [] }: { api?: ApiDefinition; keep?: readonly string[] } = {},
): Promise<PulledScenario & { readonly text: string }> {
  const shop = await readRecording(file, { api, apiPath: namedPath });
  const pulled = scenarioOfShop(shop, { api, seed: 1, keep, replace: [] });
  return { ...pulled, text: JSON.stringify(pulled.scenario) };
}

/** Returns the forms in which descriptions of products are left, by the descriptions. @param order whether Ada has an order */
async function leftIn(
  descriptions: readonly string[],
  order = false,
): Promise<Map<string, string>> {
  const ids: number[] = [];
  const file = await recorded(async (call) => {
    for (const description of descriptions) {
      const { body } = await call('POST /api/products/', { name: 'Mug', description, price: 990 });
      ids.push(body.id);
    }
    const orders = order ? [(await placeOrder(call, ada, false)).order] : [];
    return [...ids.map((id) => `/api/products/${id}`), ...orders.map((id) => `/api/orders/${id}/`)];
  });
  const { left } = await anonymised(file);
  const forms = new Map(left.map((line) => [/\d+/.exec(line)?.[0], line.split(': ')[1] ?? '']));
  return new Map(
    descriptions.flatMap((text, at) => {
      const form = forms.get(String(ids[at]));
      return form === undefined ? [] : [[text, form] as const];
    }),
  );
}

/** Runs a command line in this process. */
async function runHere(...words: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const write = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => out.push(String(text)) > 0);
  const error = vi
    .spyOn(console, 'error')
    .mockImplementation((text) => void err.push(String(text)));
  try {
    const code = await run(words);
    return { code, out: out.join(''), err: err.join('\n') };
  } finally {
    write.mockRestore();
    error.mockRestore();
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Returns the texts of a list, between bars and in lines. */
function list(text: string): string[] {
  return text.trim().split(/\s*[|\n]\s*/);
}

const phones = list(`
  +44 1632 960 961 | +1.202.555.0143 | +49 (0)30 23125-742 | +4915112345679 | 0049 30 2312574 | (202) 555-0143 | 202-555-0143
  202.555.0143 | 1-800-555-0143 | 2025550143 | (11) 98765-4321 | 01632 960961 | 07700 900 982 | 030/23125 742 | 030 / 23 12 57 42
  0171/1234567 | 040 123 4567 | 06 12 34 56 78 | 06.12.34.56.78 | 0612345678 | 044 668 18 00 | 08-123 456 78 | 03-1234-5678
  600 123 456 | 91 123 45 67 88 | 612 34 56 78 | 22 123 45 67 | 12 34 56 78 | 123 45 678 | 8 (800) 555-35-35 | 138 0013 8000
  98765 43210 | 55 1234 5678 | 010-1234-5678 | 1300 123 456 | Tel. 5550143 | call us at 555-0143 | ☎ 12 34 56
  202\u2011555\u20110143 | ０３−１２３４−５６７８ | ٠١٢٣٤٥٦٧٨٩
`);

test('a phone number in a description is found in the spelling of any country', async () => {
  const texts = phones.flatMap((phone) => [phone, `For questions see ${phone} in the afternoon.`]);
  const left = await leftIn(texts);
  expect(texts.filter((text) => left.get(text) !== 'a phone number')).toEqual([]);
});

test('the numbers of things are no phone numbers', async () => {
  const texts = list(`
    Model 4711-0815, 12 x 250 g, 2026-03-02 | Sizes 36 38 40 42 | 120/80/60 mm | 250 500 1000 ml | ISBN 978-3-16-148410-0
    EAN 0012345678905 | 4006381333931 | 10000-20000 mAh | 1 299 990 Kč | 02.03.2026 - 09.03.2026 | 2026-03-02 09:00
    12.99 - 15.99 - 19.99 | Version 1.2.3 | logo@2x.png | ISO 9001:2015, RAL 9010 | Hotel 250 | 0.123456789
    https://cdn.shop.test/img/1234567890.jpg
  `);
  expect(await leftIn(texts)).toEqual(new Map());
});

test('an e-mail address, an IP address or a card number in a description is found in any spelling', async () => {
  const emails = [
    'anna@shop.test',
    'anna%40shop.test',
    'anna&#64;shop.test',
    'anna (at) shop (dot) test',
  ];
  const addresses = [
    '10.20.30.40.',
    '2001:db8::1',
    '[2001:DB8::1]:443',
    'fe80::1%eth0',
    '::ffff:192.0.2.1',
    'IP:::1',
  ];
  const cards = ['4242 4242 4242 4242', '4242-4242-4242-4242', '４２４２４２４２４２４２４２４２'];
  const encoded = [
    base64('anna@shop.test'),
    `data:text/plain;base64,${base64('Tel. +44 1632 960961')}`,
  ];
  const texts = [...emails, ...addresses, ...cards, ...encoded].map(
    (one) => `Made by (${one}) alone`,
  );
  const left = await leftIn(texts);
  expect(texts.filter((text) => !left.has(text))).toEqual([]);
});

test('the name of a customer in a description is found: short, in capitals, at the beginning, without accents, encoded', async () => {
  const found = list(`
    A mug, engraved for Ada only. | A mug for ADA. | A MUG FOR ADA | Ada likes it. | Nice. Ada's mug. | A mug for Novotna.
    A mug for NOVOTNÁ, ADA only. | by ada novotná | #AdaNovotna | see ada-novotna | A mug, Dlouhá 12, blue | for Ａｄａ
    ${base64('Ada')}
  `);
  const others = ['An adamant mug.', 'A mug of Adam, in Nova.', 'A mug with a long handle'];
  const left = await leftIn([...found, ...others], true);
  expect([...left.keys()]).toEqual(found);
});

test('a name that is also a word of the descriptions is none at the beginning of a sentence', async () => {
  const file = await recorded(async (call) => {
    const { order } = await placeOrder(call, { ...ada, first: 'Rose', last: 'Green' }, false);
    const texts = ['Green tea, and a green cup with a rose.', 'Rose water. Green cup.'];
    const products = [];
    for (const description of texts)
      products.push(
        (await call('POST /api/products/', { name: 'Tea', description, price: 990 })).body.id,
      );
    return [`/api/orders/${order}/`, ...products.map((id) => `/api/products/${id}`)];
  });
  expect((await anonymised(file)).left).toEqual([]);
});

/** What a definition may know of a person, by names that no list has. */
const texts = {
  billingFirstName: 'Adalbert',
  shippingCity: 'Olomouc',
  deliveryAddress: 'Krátká 5, Olomouc',
  contactPerson: 'Berta Malá',
  fullAddress: 'Berta Malá, Krátká 5',
  tel: '+420 601 123 456',
  cell: '601123456',
  dob: '1990-05-17',
  ssn: '078-05-1120',
  passport: 'CZ1234567',
  message: 'Please ring twice, thank you',
  avatar: 'https://shop.test/u/berta.jpg',
  remoteAddr: '10.20.30.40',
  mail: 'berta@post.test',
  nationality: 'Slovak',
  token: 'tok-1234567',
  note: 'Allergic to nuts',
};

const definition = extendApi(storeApi, {
  fields: {
    users: {
      ...Object.fromEntries(
        Object.keys(texts).map((name) => [name, field.text({ optional: true })]),
      ),
      tags: field.texts({ optional: true }),
      birthday: field.time({ optional: true }),
      anniversary: field.time({ optional: true }),
      nextVisit: field.time({ optional: true, public: true }),
      level: field.oneOf(['gold', 'silver'], { optional: true }),
      points: field.integer({ optional: true }),
      tier: field.text({ optional: true, public: true }),
    },
  },
  resources: { lockers: resource({ singular: 'locker', fields: { label: field.text() } }) },
}) as ApiDefinition;

async function personOfDefinition(): Promise<string> {
  return recorded(async (call) => {
    const person = {
      email: ada.email,
      plainPassword: 'secret1',
      firstName: 'Ada',
      lastName: 'Novotná',
    };
    const times = {
      birthday: '1990-05-17T00:00:00+0000',
      anniversary: '2011-06-18T00:00:00+0000',
      nextVisit: '2026-04-18T10:00:00+0000',
    };
    const known = { level: 'gold', points: 512, tier: 'Early adopter' };
    const { body } = await call('POST /api/users/', {
      ...person,
      ...texts,
      ...times,
      ...known,
      tags: ['Berta'],
    });
    const { body: locker } = await call('POST /api/lockers/', { label: 'Berta 7' });
    return [`/api/users/${body.id}`, `/api/lockers/${locker.id}`];
  }, definition);
}

test('each text of a definition is replaced that nothing says to be about no person', async () => {
  const file = await personOfDefinition();
  const { left, text, anonymised: made } = await anonymised(file, { api: definition });
  expect(left).toEqual([]);
  const written = text.toLowerCase();
  const originals = [...Object.values(texts), 'Berta', 'Novotn', '05-17', '06-18'];
  expect(originals.filter((one) => written.includes(one.toLowerCase()))).toEqual([]);
  for (const kept of ['Early adopter', 'gold', '512', '2026-04-18T10:00:00+0000'])
    expect(text).toContain(kept);
  expect(made?.fields.get('public')).toEqual(new Set(['users.tier']));
  expect(made?.fields.get('other texts')?.size).toBe(Object.keys(texts).length + 2);
  const users = openOffice({ api: definition, scenario: JSON.parse(text) }).db.users;
  expect(users.all().at(-1)).toMatchObject({
    remote_addr: expect.stringMatching(/^192\.0\.2\.\d+$/),
  });
});

test('a field is kept on request, and the report names what was kept, with the reason', async () => {
  const file = await personOfDefinition();
  const out = join(dirname(file), 'shop.json');
  const { code, err } = await runHere(
    'pull',
    file,
    '--anonymise',
    '--keep',
    'users.email',
    '-o',
    out,
  );
  expect(code).toBe(0);
  expect(readFileSync(out, 'utf8')).toContain(ada.email);
  expect(err.split('\n')).toEqual([
    'Read from shop.har: 1 user.',
    'What it does not show is as in the scenario empty.',
    'Replaced: 2 usernames, 1 e-mails, 2 passwords.',
    'Kept (--keep, not checked): users.email.',
    'Kept (times): users.created_at, users.updated_at.',
    'Open it:',
    `  npx backlot --scenario ${out}`,
  ]);
});

test('each text field of the store says what it is about', () => {
  const others = /^(fault_rules|script_rules|sequences)\.|(\.|_)(at|on|login)$/;
  const unknown = Object.values(storeApi.tables).flatMap(({ name, texts: known = {} }) =>
    textFieldsOf(storeApi)
      .filter((path) => path.startsWith(`${name}.`) && !others.test(path))
      .filter((path) => known[path.split('.')[1] ?? ''] === undefined),
  );
  expect(unknown).toEqual([]);
});

test('a field cannot be secret and public', () => {
  const key = field.text({ secret: true, public: true });
  expect(() => extendApi(storeApi, { fields: { users: { key } } })).toThrow(
    'fields.users.key: is secret and public: remove one of them',
  );
});

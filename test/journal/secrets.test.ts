import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openOffice, type Office } from '../support/office.ts';
import { runs } from '../support/runs.ts';

/** A secret, as people and programs create it; never part of any other text in these tests. */
const secret = fc.oneof(
  fc.uuid(),
  fc
    .string({ unit: 'grapheme-ascii', minLength: 3, maxLength: 20 })
    .map((text) => `Qx7${text.replaceAll(/\s/g, '_')}zJ`),
  fc.string({ unit: 'grapheme', minLength: 3, maxLength: 9 }).map((text) => `Qx7${text}é"\\zJ`),
);

/** A valid card number, or one that lacks a digit. */
const cardNumber = fc
  .tuple(
    fc.stringMatching(/^[2-6]\d{14}$/),
    fc.constantFrom('', ' ', '-'),
    fc.constantFrom(0, 0, 0, 1),
  )
  .map(([digits, gap, lacking]) => {
    const whole = `${digits}${checkDigit(digits)}`.slice(lacking);
    return whole.replaceAll(/\d{4}(?=\d)/g, `$&${gap}`);
  });

function checkDigit(digits: string): number {
  const sum = Array.from(digits).reduce<number>((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

type Form = Record<string, string>;
type Send = (office: Office, form: Form) => Promise<Response>;

const places = [
  '/api/users/ POST',
  '/api/users/1 PATCH',
  '/api/checkouts/120 PUT',
  '/api/checkouts/99999 PUT',
  '/api/nowhere PUT',
  '/api/users/ PUT',
  '/oauth/v2/token POST',
];

const encodings: Send[] = [
  ...places.map((place): Send => {
    const [path = '', method = ''] = place.split(' ');
    return (office, form) => send(office, path, method, JSON.stringify(form));
  }),
  // Truncated JSON, and bodies that cannot be parsed as their content type.
  (office, form) => send(office, '/api/users/', 'POST', JSON.stringify(form).slice(0, -1)),
  (office, form) => send(office, '/api/users/', 'POST', JSON.stringify(form), 'text/plain'),
  (office, form) => send(office, '/api/users/', 'POST', new URLSearchParams(form)),
  (office, form) => send(office, '/api/checkouts/120', 'PUT', new URLSearchParams(form)),
  (office, form) => send(office, '/oauth/v2/token', 'POST', new URLSearchParams(form)),
  (office, form) => send(office, '/api/users/', 'POST', multipart(form)),
  (office, form) => send(office, '/api/checkouts/120', 'PUT', multipart(form)),
  (office, form) => send(office, `/api/orders/?page=0&${new URLSearchParams(form)}`, 'GET'),
  (office, form) => send(office, `/api/checkouts/120?${new URLSearchParams(form)}`, 'PUT'),
  (office, form) => send(office, `/oauth/v2/token?${new URLSearchParams(form)}`, 'GET'),
  (office, form) => send(office, `/nowhere/api/?${new URLSearchParams(form)}`, 'GET'),
  (office, form) =>
    office.fetch('/api/users/1', {
      headers: { referer: `https://shop.test/x?${new URLSearchParams(form)}` },
    }),
];

function send(
  { fetch: ask }: Office,
  path: string,
  method: string,
  body?: BodyInit,
  type = 'application/json',
): Promise<Response> {
  const headers = typeof body === 'string' ? { 'content-type': type } : {};
  return ask(path, { method, headers, ...(body !== undefined && { body }) });
}

function multipart(form: Form): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) data.append(name, value);
  return data;
}

const names = fc.constantFrom(
  'plainPassword',
  'plainPassword[first]',
  'plainPassword[second]',
  'plainPassword[]',
  'password',
  'passwordConfirmation',
  'new_password_2',
  'user[plainPassword][first]',
  'client_secret',
  'access_token',
  'refresh_token',
  'confirmation_token',
  'accessToken',
  'api_key',
  'cardholderName',
  'securityCode',
  'cvv',
  'cvv2',
  'cardNumber',
  'payment[card_number]',
  'number',
);

const headerNames = fc.constantFrom(
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'x-backlot-token',
  'x-csrf-token',
);

/** Returns everything that can be read of a journal. */
function journalText({ journal }: Office): string {
  return JSON.stringify(journal.entries());
}

/** Returns the secret in every encoding. */
function formsOf(text: string): string[] {
  return [text, encodeURIComponent(text), String(new URLSearchParams({ '': text })).slice(1)].map(
    (form) => JSON.stringify(form).slice(1, -1),
  );
}

const office = openOffice({ settings: { auth: 'none' } });

test('the journal records no secret, whatever its name and encoding', async () => {
  await fc.assert(
    fc.asyncProperty(names, secret, fc.constantFrom(...encodings), async (name, text, sendForm) => {
      office.journal.clear();
      await sendForm(office, { firstName: 'Ada', [name]: text });
      const journal = journalText(office);
      expect(office.journal.count()).toBe(1);
      expect(formsOf(text).filter((form) => journal.includes(form))).toEqual([]);
    }),
    { numRuns: runs(600) },
  );
});

test('the journal records only the last four digits of a card number, whatever the parameter', async () => {
  const called = fc.oneof(fc.constantFrom('number', 'cardNumber', 'card[number]'), names);
  await fc.assert(
    fc.asyncProperty(called, cardNumber, fc.constantFrom(...encodings), async (name, text, use) => {
      office.journal.clear();
      await use(office, { [name]: text });
      const digits = text.replaceAll(/\D/g, '');
      const journal = decodeURIComponent(journalText(office)).replaceAll(/(?<=\d)[ +-](?=\d)/g, '');
      expect(journal).not.toContain(digits.slice(0, -4));
    }),
    { numRuns: runs(600) },
  );
});

test('the journal records no credentials of headers', async () => {
  await fc.assert(
    fc.asyncProperty(headerNames, fc.uuid(), async (name, text) => {
      office.journal.clear();
      await office.call('GET /api/users/1', undefined, { [name]: `Bearer ${text}` });
      await office.call('GET /api/nowhere', undefined, { [name]: text });
      expect(journalText(office)).not.toContain(text);
    }),
  );
});

test('the journal records no secret of the shop from a response, even a corrupted one', async () => {
  const shop = openOffice({ scenario: 'authenticated' });
  const tokenRequest = {
    grant_type: 'password',
    client_id: 'demo_client',
    client_secret: 'secret_demo_client',
    username: 'api@example.com',
    password: 'api',
  };
  const { body: token } = await shop.call('POST /oauth/v2/token', tokenRequest);
  const headers = { authorization: `Bearer ${token.access_token}` };
  const user = {
    firstName: 'Ada',
    lastName: 'Novak',
    email: 'ada@x.test',
    plainPassword: 'Qx7-Qx7',
  };
  const { body: added } = await shop.call('POST /api/users/', user, headers);
  const reset = { username: 'ada@x.test' };
  const { body: resetting } = await shop.call(
    'POST /api/password-resetting-requests/',
    reset,
    headers,
  );
  for (const corrupt of ['malformed', 'cut-off'] as const) {
    shop.faults.add({ corrupt, after: true });
    await shop.fetch(`/oauth/v2/token?${new URLSearchParams(tokenRequest)}`);
    await shop.fetch(`/api/users/${added.id}`, { headers });
    await shop.fetch('/api/users/?limit=100', { headers });
    shop.faults.clear();
  }
  const tokens = shop.db.tokens.all().map(({ value }) => value);
  expect(tokens.length).toBeGreaterThan(5);
  const secrets = [...tokens, added.password, added.salt, resetting.confirmation_token];
  expect(secrets).not.toContain(undefined);
  const journal = journalText(shop);
  // Also the beginning of a secret, if a corrupted response ends in it.
  expect(secrets.filter((one) => journal.includes(String(one).slice(0, 12)))).toEqual([]);
  expect(journal).not.toMatch(/secret_demo_client|Qx7-Qx7/);
});

test('an unexpected error is reported without the secrets of the request', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => report.mockRestore());
  const broken = openOffice({ settings: { unknownParameters: 'ignore' } });
  broken.shop.db.users.page = () => {
    throw new Error('broken');
  };
  expect((await broken.call('GET /api/users/?access_token=Qx7-Qx7')).status).toBe(500);
  expect(report).toHaveBeenCalledOnce();
  expect(String(report.mock.calls[0])).toContain('/api/users/?access_token=***');
});

test('redaction changes nothing of a URL except its secrets', () => {
  const { answer, journal } = openOffice();
  const url = '/api/users/?criteria%5Bquery%5D=why?no&token=Qx7=zJ&x=1=2';
  answer({ method: 'GET', url, headers: {} });
  expect(journal.entries()[0]?.url).toBe(url.replace('Qx7=zJ', '***'));
});

test('the journal keeps a UUID whose digits pass as a card number, and masks a card number beside it', async () => {
  const { call, journal } = openOffice();
  // 424-4242-8424-2424000 passes the Luhn check.
  const uuid = '9280f6f7-d424-4242-8424-2424000f28fe';
  await call(`GET /api/orders/${uuid}/4242-4242-4242-4242`);
  expect(journal.entries()[0]?.url).toBe(`/api/orders/${uuid}/************4242`);
});

test('a card number beside bytes that are not UTF-8 is masked', () => {
  const { answer, journal } = openOffice();
  answer({ method: 'GET', url: '/api/users/?note=%FF+%34242424242424242', headers: {} });
  expect(journal.entries()[0]?.url).toMatch(/^[^?]+\?note=.*\*{12}4242$/);
});

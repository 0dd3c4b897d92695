import { expect, test } from 'vitest';
import { checkoutOf, declinedCard, put } from '../support/checkout-steps.ts';
import { problemOf } from '../support/checkout.ts';
import { openOffice } from '../support/office.ts';

/** Sends a request to a shop with a rule that declines a card. Returns its `X-Backlot-Why`. */
async function whyOf(line: string, sent?: object, prefer = 'explain'): Promise<string | undefined> {
  const office = openOffice();
  office.script.add(rule);
  office.script.add({ on: 'payment', match: { order: 109 }, refuse: { message: 'No card.' } });
  const { headers } = await office.call(line, sent, { prefer });
  return headers['x-backlot-why'];
}

const rule = {
  on: 'purchase',
  match: { card: declinedCard.number },
  outcome: 'declined',
} as const;

test.each([
  [
    'POST /api/users/',
    { email: 'é', firstName: 'Ada', lastName: 'Novak', plainPassword: '' },
    'email: sent "e", accepts an email address; and 1 more',
  ],
  [
    'POST /api/users/',
    { ...declinedCard, plainPassword: 'x'.repeat(5000) },
    'type: sent "visa", accepts no value; and 9 more',
  ],
  [
    checkoutOf(107),
    { paymentMethod: 1 },
    'Order 107 is in state cart, its checkout in state cart: it awaits addressing, not payment.',
  ],
  [
    'POST /api/orders/',
    { channel: 1, user: 1, currency: 'EUR', toString: 1 },
    'toString: sent 1, accepts no value',
  ],
  [checkoutOf(109), { paymentMethod: 1 }, 'rejected by script 2 (order 109)'],
  [checkoutOf(88), declinedCard, 'declined by script 1 (card ends in 0002)'],
  [
    'GET /api/orders/9999',
    undefined,
    'Requested order does not exist with these criteria: {"id":"9999"}.',
  ],
] as const)(
  'Prefer: explain says in a header why %s with %j was refused',
  async (line, sent, why) => {
    expect(await whyOf(line, sent)).toBe(why);
  },
);

test('Prefer: explain names the total of an order, and changes nothing else', async () => {
  const office = openOffice();
  const line = 'GET /api/orders/107';
  const plain = await office.call(line);
  const { headers, ...answer } = await office.call(line, undefined, { prefer: 'explain' });
  const { 'x-backlot-why': why, 'preference-applied': applied, ...others } = headers;
  expect({ ...answer, headers: others }).toEqual(plain);
  expect(applied).toBe('explain');
  const { total } = office.explain.order(107);
  expect(why).toMatch(new RegExp(`^total ${(total / 100).toFixed(2)} [A-Z]{3}: [ -~]+$`));
  expect(office.journal.entries().at(-1)?.answer.headers['x-backlot-why']).toBe(why);
  expect(await whyOf('GET /api/users/1')).toBeUndefined();
  expect(await whyOf(line, undefined, 'delay=1ms')).toBeUndefined();
});

test('the header X-Backlot-Why has a bounded length, and a purchase no card in it', async () => {
  const long = { channel: 1, user: 1, currency: 'x'.repeat(9000) };
  expect((await whyOf('POST /api/orders/', long))?.length).toBeLessThan(420);
  const invalid = { ...declinedCard, number: '4242424242424241' };
  expect(await whyOf(checkoutOf(88), invalid)).toBe(
    'number: sent "************4241", accepts a credit card number',
  );
});

test('a failed verification says why requests were refused, and which rule declined a purchase', async () => {
  const office = openOffice();
  office.script.add(rule);
  await office.call('POST /api/users/', { email: 'x' });
  await put(office.call, 88, declinedCard);
  const failure = problemOf(() =>
    office.journal.verify({ request: 'POST /api/users/', status: 201 }),
  );
  expect(failure?.message).toContain(
    '#1 POST /api/users/ → 400: firstName: not sent, accepts text of 2 to 255 characters; lastName: not sent',
  );
  expect(failure?.message).toContain(
    '#2 PUT /api/checkouts/88 → 200 (purchase): declined by script 1 (card ends in 0002)',
  );
});

test('each of many refused fields is explained', async () => {
  const office = openOffice({ history: true });
  const shipments = Array.from({ length: 60 }, () => ({}));
  const { status } = await office.call(checkoutOf(106), { shipments });
  expect(status).toBe(400);
  const refused = office.explain.entry(1).refused.map(({ path, accepts }) => [path?.[1], accepts]);
  expect(refused).toEqual(
    shipments.map((_, at) => [
      String(at),
      expect.stringMatching(/^the id of a shipping method, such as \d$/),
    ]),
  );
});

import { expect, test } from 'vitest';
import { Problem } from '../../src/index.ts';
import { weatherNames, weathers } from '../../src/engine/faults/weather.ts';
import type { ApiResponse } from '../../src/engine/rest/message.ts';
import { openOffice, type Office } from '../support/office.ts';
import { todoApi } from '../todo/api.ts';

function count({ db }: Office): number {
  return db.faultRules.count();
}

/** Sends requests without waiting for delays, and returns what they met. */
function weatherOf(office: Office, times = 200): string[] {
  return Array.from({ length: times }, () => {
    const { status, delay } = office.answer({ method: 'GET', url: '/api/orders/1', headers: {} });
    return `${status} after ${delay ?? 0} ms`;
  });
}

test.each(weatherNames)('the weather %s of a back office is the rules of its row', (weather) => {
  const { db } = openOffice({ weather });
  const rules = db.faultRules.all();
  expect(rules).toHaveLength(weathers[weather].length);
  expect(rules).toMatchObject([...weathers[weather]]);
});

test('a back office has the weather of its scenario, unless it has another one', () => {
  const scenario = {
    name: 'wet',
    description: 'Wet',
    extends: 'default',
    weather: 'deploying',
  } as const;
  expect(count(openOffice({ scenario }))).toBe(2);
  expect(count(openOffice({ scenario, weather: 'good' }))).toBe(0);
  const office = openOffice({ scenario });
  office.faults.clear();
  office.reset();
  expect(count(office)).toBe(2);
});

test.each(weatherNames)(
  'the weather %s can be set while a back office runs, in place of another one, and is known by its rules',
  async (weather) => {
    const office = openOffice({ weather: 'deploying' });
    const rule = office.faults.add({ status: 500 });
    const { status, body } = await office.call('PUT /_backlot/weather', { weather });
    expect(status).toBe(200);
    expect(body).toMatchObject({ weather, choices: weatherNames.map((name) => ({ name })) });
    const own = weather === 'deploying' ? 2 : weathers[weather].length;
    expect(count(office)).toBe(own + 1);
    expect(office.faults.list()).toContainEqual(rule);
    office.answer({ method: 'GET', url: '/api/orders/1', headers: {} });
    expect((await office.call('GET /_backlot/weather')).body).toEqual(body);
    const first = office.faults.list().find(({ id }) => id !== rule.id);
    if (first !== undefined) office.faults.replace(first.id, { status: 500 });
    expect((await office.call('GET /_backlot/weather')).body.weather).toBe('good');
  },
);

test('a weather that is about a step can only be set where there is such a step', async () => {
  const office = openOffice({ api: todoApi });
  const { body } = await office.call('GET /_backlot/weather');
  const names = body.choices.map(({ name }: { name: string }) => name);
  expect(names).toEqual(weatherNames.filter((name) => name !== 'payment-outage'));
  const refused = await office.call('PUT /_backlot/weather', { weather: 'payment-outage' });
  expect(refused.status).toBe(400);
  expect(office.faults.list()).toEqual([]);
});

test('the same seed has the same weather', () => {
  const [one, other] = [1, 1].map((seed) => openOffice({ seed, weather: 'black-friday' }));
  const met = weatherOf(one!);
  expect(weatherOf(other!)).toEqual(met);
  expect(new Set(met.map((text) => text.slice(0, 3)))).toEqual(new Set(['200', '429', '503']));
  expect(weatherOf(openOffice({ seed: 2, weather: 'black-friday' }))).not.toEqual(met);
});

test('one request can have a weather, which meets the requests that its rules match, and a fault of its own', () => {
  const office = openOffice();
  const send = (line: string, prefer: string): ApiResponse => {
    const [method = '', url = ''] = line.split(' ');
    const headers = { prefer, 'content-type': 'application/json' };
    return office.answer({ method, url, headers, body: '{"type":"visa"}' });
  };
  expect(send('GET /api/orders/1', 'weather=payment-outage').status).toBe(200);
  const purchase = office.db.orders.all().find((one) => one['checkout_state'] === 'finalize');
  const bought = send(`PUT /api/checkouts/${purchase!.id}`, 'weather=payment-outage');
  expect(bought).toMatchObject({ status: 503, delay: 3000 });
  expect(bought.headers['preference-applied']).toBe('weather=payment-outage');
  expect(send('GET /api/orders/1', 'status=418, weather=good').status).toBe(418);
});

test('an unknown weather is refused with the names that there are', async () => {
  const { status, body } = await openOffice().call('GET /api/orders/1', undefined, {
    prefer: 'weather=rain',
  });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    message:
      "Prefer: weather must be one of good, train, hotel-wifi, black-friday, payment-outage, deploying, not 'rain'.",
  });
  expect(() =>
    openOffice({ scenario: { name: 'wet', description: '', weather: 'rain' } as never }),
  ).toThrow(Problem);
});

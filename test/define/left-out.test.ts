import { expect, test } from 'vitest';
import { extendApi, field, resource, storeApi } from '../../src/define.ts';
import { valueAt } from '../../src/engine/lib/json-value.ts';
import { leftOutText } from '../../src/engine/scenario/data.ts';
import { openServer } from '../support/server.ts';

const api = extendApi(storeApi, {
  resources: {
    reviews: resource({ singular: 'review', fields: { order: field.ref('orders') } }),
    replies: resource({ singular: 'reply', fields: { review: field.ref('reviews') } }),
  },
  scenarios: {
    default: {
      data: {
        reviews: [
          { id: 1, order: 105 },
          { id: 2, order: 3 },
        ],
        replies: [
          { id: 1, review: 1 },
          { id: 2, review: 2 },
        ],
      },
    },
    flaky: { data: { replies: [{ id: 7, review: 1 }] } },
  },
});

const scenarios = Object.keys(api.sources.scenarios).filter((name) => name !== 'large');

test.each(scenarios)(
  'the scenario %s leaves out inherited records that refer to an order that it lacks, and what refers to these',
  (scenario) => {
    const { call, shared } = openServer({ api });
    expect(call('POST /_backlot/reset', { scenario }).status).toBe(200);
    const { orders, reviews, replies } = shared.db;
    const left = reviews!.all().map(({ id }: { id: number }) => id);
    expect(left).toEqual([105, 3].flatMap((order, at) => (orders.get(order) ? [at + 1] : [])));
    const expected = scenario === 'flaky' ? [7] : left;
    expect(replies!.all().map(({ id }: { id: number }) => id)).toEqual(expected);
    const lacking = shared.shop.start.leftOut?.map(({ table, reason }) => `${table}: ${reason}`);
    expect(lacking?.includes('reviews: There is no order 105')).toBe(!left.includes(1));
  },
);

test('a record that a scenario lists itself must refer to a record that it has', () => {
  const wrong = extendApi(api, {
    scenarios: { sale: { data: { reviews: [{ id: 1, order: 105 }] } } },
  });
  const { call } = openServer({ api: wrong });
  const { status, body } = call('POST /_backlot/reset', { scenario: 'sale' });
  expect({ status, text: JSON.stringify(body) }).toEqual({
    status: 400,
    text: expect.stringContaining('There is no order 105'),
  });
});

const channels = (storeApi.sources.fixtures['channels'] as readonly object[]).map((channel) => ({
  ...channel,
  latest: 105,
  related: [3, 105],
}));

const added = {
  channels: {
    latest: field.ref('orders', { optional: true }),
    related: field.refs('orders', { optional: true }),
  },
};

test.each(scenarios)(
  'the scenario %s leaves out inherited values of added fields that refer to an order that it lacks',
  (scenario) => {
    const data = { channels } as never;
    const ofStore = extendApi(storeApi, { fields: added, scenarios: { default: { data } } });
    const { call, shared } = openServer({ api: ofStore });
    expect(call('POST /_backlot/reset', { scenario }).status).toBe(200);
    const { orders, channels: table } = shared.db;
    const [has3, has105] = [3, 105].map((id) => orders.get(id) !== undefined);
    expect(table.get(1)).toMatchObject({ id: 1, code: 'WEB-IE' });
    expect(valueAt(table.get(1), ['latest'])).toBe(has105 ? 105 : undefined);
    expect(valueAt(table.get(1), ['related'])).toEqual(has3 && has105 ? [3, 105] : undefined);
    const text = leftOutText(shared.shop.start.leftOut ?? []);
    expect(text.includes('latest of channels 1, 2')).toBe(!has105);
  },
);

test('a value of an added field that a scenario lists itself must refer to a record that it has', () => {
  const wrong = extendApi(storeApi, {
    fields: added,
    scenarios: { sale: { data: { channels } } },
  });
  const { status, body } = openServer({ api: wrong }).call('POST /_backlot/reset', {
    scenario: 'sale',
  });
  expect({ status, text: JSON.stringify(body) }).toEqual({
    status: 400,
    text: expect.stringContaining('"latest":{"errors":["There is no order 105"]}'),
  });
});

import { expect, test } from 'vitest';
import type { ApiDefinition } from '../../src/engine/definition/api.ts';
import { storeApi } from '../../src/define.ts';
import { everyField } from '../support/every-field-api.ts';
import { contents, openOffice } from '../support/office.ts';
import { todoApi } from '../todo/api.ts';

const apis: Readonly<Record<string, ApiDefinition>> = {
  'the store': storeApi,
  'an extended store': everyField,
  'an own API': todoApi,
};

const changes = Object.entries(apis).flatMap(([of, api]) =>
  api.endpoints
    .filter(({ method, path }) => method === 'PATCH' && path.startsWith('/api/'))
    .map(({ path }) => ({ of, api, path: path.replaceAll(/:\w+/g, '1') })),
);

test('each API has records to patch', () => {
  expect(Object.keys(Object.groupBy(changes, ({ of }) => of))).toEqual(Object.keys(apis));
});

test.each(changes)(
  'PATCH $path of $of changes nothing if it sends nothing',
  async ({ api, path }) => {
    const office = openOffice({ api, history: true });
    office.clock.advance('PT1H');
    const before = contents(office);
    for (const body of ['[]', '{}', '']) {
      const { status } = await office.call(`PATCH ${path}`, body);
      expect({ body, status }).toEqual({ body, status: 204 });
    }
    expect(contents(office)).toBe(before);
  },
);

const records = changes.filter(({ path }) => !path.includes('/items/'));

test.each(records)(
  'PATCH $path of $of changes nothing if it sends what is there',
  async ({ api, path }) => {
    const office = openOffice({ api });
    const { body } = await office.call(`GET ${path}`);
    const texts = Object.entries<unknown>(body).filter(
      ([name, value]) =>
        ['name', 'title', 'code', 'description', 'text'].includes(name) &&
        typeof value === 'string',
    );
    office.clock.advance('PT1M');
    const before = contents(office);
    const { status } = await office.call(`PATCH ${path}`, Object.fromEntries(texts));
    expect([path, status]).toEqual([path, 204]);
    expect(contents(office)).toBe(before);
  },
);

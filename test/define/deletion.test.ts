import { expect, test } from 'vitest';
import { defineApi, extendApi, field, resource, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';
import { contents, openOffice } from '../support/office.ts';

test.each([
  ['refuse', { status: 400, left: [[1, 2], [2]] }],
  ['delete', { status: 204, left: [[2]] }],
  ['clear', { status: 204, left: [[2], [2]] }],
] as const)('when a record is deleted, references %s', async (onDelete, { status, left }) => {
  const api = extendApi(storeApi, {
    resources: {
      teams: resource({
        singular: 'team',
        fields: { members: field.refs('users', { onDelete, min: 0 }) },
      }),
    },
    scenarios: { default: { data: { teams: [{ members: [1, 2] }, { members: [2] }] } } },
  });
  const office = openOffice({ api });
  expect((await office.call('DELETE /api/users/1')).status).toBe(status);
  expect(office.db.teams.all().map(({ members }) => members)).toEqual(left);
  expect((await office.call('GET /api/users/1')).status).toBe(status === 204 ? 404 : 200);
});

/** Lists refer to users and to each other, and entries to lists. */
const list = (last: 'delete' | 'refuse') =>
  extendApi(storeApi, {
    resources: {
      lists: resource({
        singular: 'list',
        fields: {
          user: field.ref('users', { onDelete: 'delete' }),
          parent: field.ref('lists', { onDelete: 'delete', optional: true }),
        },
      }),
      entries: resource({
        singular: 'entry',
        fields: { list: field.ref('lists', { onDelete: last }) },
      }),
    },
    scenarios: {
      default: {
        data: {
          lists: [{ user: 1, parent: 2 }, { user: 2, parent: 1 }, { user: 3 }],
          entries: [{ list: 2 }, { list: 3 }],
        },
      },
    },
  });

test('a deletion follows the references to what is deleted with it, and back', async () => {
  const office = openOffice({ api: list('delete') });
  expect((await office.call('DELETE /api/users/1')).status).toBe(204);
  expect(office.db.lists.all().map(({ id }) => id)).toEqual([3]);
  expect(office.db.entries.all().map(({ id }) => id)).toEqual([2]);
  const strict = openOffice({ api: list('refuse') });
  const before = contents(strict);
  expect((await strict.call('DELETE /api/users/1')).body).toEqual({
    code: 400,
    message: 'The entry 1 refers to it by list.',
  });
  expect(contents(strict)).toBe(before);
  const { call, db } = openOffice({ api: list('delete') });
  expect((await call('DELETE /api/lists/1')).status).toBe(204);
  expect(db.lists.count()).toBe(1);
});

test('a deletion follows a chain of 10,000 records without a limit of depth', async () => {
  const links = Array.from({ length: 10_000 }, (_, at) => (at === 0 ? {} : { last: at }));
  const api = defineApi({
    name: 'chain',
    resources: {
      links: resource({
        singular: 'link',
        fields: { last: field.ref('links', { optional: true, onDelete: 'delete' }) },
      }),
    },
    scenarios: { default: { data: { links } } },
  });
  const office = createBackOffice({ api });
  expect((await office.fetch('/api/links/1', { method: 'DELETE' })).status).toBe(204);
  expect(office.db.links.count()).toBe(0);
});

test('a record that is deleted for one reason does not refuse the deletion for another', async () => {
  const api = extendApi(storeApi, {
    resources: {
      visits: resource({
        singular: 'visit',
        fields: {
          guest: field.ref('users', { onDelete: 'refuse' }),
          host: field.ref('users', { onDelete: 'delete' }),
        },
      }),
    },
    scenarios: {
      default: {
        data: {
          visits: [
            { guest: 1, host: 1 },
            { guest: 2, host: 1 },
          ],
        },
      },
    },
  });
  const office = openOffice({ api });
  expect((await office.call('DELETE /api/users/2')).status).toBe(400);
  expect((await office.call('DELETE /api/users/1')).status).toBe(204);
  expect(office.db.visits.count()).toBe(0);
});

import { expect, test } from 'vitest';
import { extendApi, Problem, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';

const api = extendApi(storeApi, {
  path: '/api/v1',
  auth({ request, db }) {
    const { 'x-api-key': key } = request.headers;
    if (key === 'expired') throw new Problem('refused', 'Your key has expired.');
    return request.path === '/api/v1/zones/' || db.users.all().some(({ email }) => email === key);
  },
});

test('requests without the key of a user are denied, before anything else is said of them', async () => {
  const office = createBackOffice({ api });
  const email = office.db.users.get(1)!.email;
  const ask = async (path: string, key?: string, method = 'GET') => {
    const headers = key === undefined ? {} : { 'X-Api-Key': key };
    const response = await office.fetch(path, { method, headers });
    return [response.status, (await response.text()).slice(0, 60)];
  };
  const denied = [401, '{"code":401,"message":"Authentication required."}'];
  expect(await ask('/api/v1/users/1')).toEqual(denied);
  expect(await ask('/api/v1/nothing', 'wrong', 'DELETE')).toEqual(denied);
  expect(await ask('/api/v1/users/1', email)).toEqual([200, expect.stringContaining(`"id":1`)]);
  expect(await ask('/api/v1/users/1', 'expired')).toEqual([
    400,
    expect.stringContaining(`Your key has expired`),
  ]);
  expect(await ask('/api/v1/zones/')).toEqual([200, expect.stringContaining(`"page":1`)]);
  expect(await ask('/api/v1/users/1', undefined, 'OPTIONS')).toEqual([204, '']);
  expect((await ask('/oauth/v2/token', undefined, 'POST'))[0]).toBe(400);
  expect(office.journal.count({ status: 401 })).toBe(2);
});

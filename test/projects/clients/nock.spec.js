import nock from 'nock';
import { afterAll, expect, test } from 'vitest';
import { overHttp } from './lines.js';

afterAll(() => nock.restore());

test.each(Object.entries(overHttp))('%s', async (name, lineOf) => {
  nock('http://todos.test').get(`/nock/${name}`).reply(200, { title: 'Work', done: true });
  expect(await lineOf(`http://todos.test/nock/${name}`)).toContain('Work');
});

import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { overUndici } from './lines.js';

const before = getGlobalDispatcher();
let agent;
beforeEach(() => {
  agent = new MockAgent();
  setGlobalDispatcher(agent);
});
afterEach(() => setGlobalDispatcher(before));

test.each(Object.entries(overUndici))('%s', async (name, lineOf) => {
  const headers = { 'content-type': 'application/json' };
  const path = `/agent/${name}`;
  agent
    .get('http://todos.test')
    .intercept({ path })
    .reply(200, { title: 'Work', done: true }, { headers });
  expect(await lineOf(`http://todos.test${path}`)).toContain('Work');
});

import { expect, test } from 'vitest';
import { verifyServer } from '../../src/drift/verify.ts';
import { openOffice } from '../support/office.ts';
import { mutants, mutated } from './mutants.ts';

const login = {
  username: 'api@example.com',
  password: 'api',
  clientId: 'demo_client',
  clientSecret: 'secret_demo_client',
};
const url = 'http://shop.test';

test('there are 120 mutants of different names', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(120);
});

test('at least 119 of 120 mutants are found', { timeout: 240_000 }, async () => {
  const missed: string[] = [];
  for (const mutant of mutants) {
    const office = openOffice();
    const send = mutated((target, init) => office.fetch(target, init), mutant);
    const { findings } = await verifyServer({
      url,
      fetch: send,
      login,
      write: true,
      maxFindings: 1,
    });
    if (findings.length === 0) missed.push(mutant.name);
  }
  expect(missed.length, missed.join('; ')).toBeLessThanOrEqual(1);
});

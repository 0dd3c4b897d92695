import { expect, test } from 'vitest';
import { storeApi } from '../../src/shop/store-api.ts';
import { runCommand } from '../support/command.ts';

test('contract prints parameters, rules, errors, an example and what is next', async () => {
  const { code, out } = await runCommand('contract', 'POST /api/orders/:order_id/items/');
  expect(code).toBe(0);
  expect(out).toMatch(/^POST \/api\/orders\/:order_id\/items\/ \(item\): Add an item to a cart$/m);
  expect(out).toMatch(/^Body\n(?: {2}.+\n)* {2}quantity +a whole number/m);
  expect(out).toMatch(/^Rules\n(?: {2}.+\n)* {2}quantity: Quantity must be at least 1\.$/m);
  expect(out).toMatch(/^Errors\n {2}400 .*invalid.*404 missing/m);
  expect(out).toMatch(
    /^ {2}curl -X POST http:\/\/127\.0\.0\.1:4000\/api\/orders\/\d+\/items\/ --json/m,
  );
  expect(out).toMatch(/^ {2}→ 201$/m);
});

test('contract prints each step of the checkout with the step that follows', async () => {
  const { out } = await runCommand('contract', 'checkouts');
  const steps = storeApi.steps.filter(({ from }) => from !== undefined);
  expect(steps).toHaveLength(5);
  for (const [at, { name }] of steps.entries()) {
    const [, text = ''] = out.split(`PUT /api/checkouts/:order_id (${name}): `);
    const [own = ''] = text.split('/api/checkouts/:order_id (');
    expect(own).toContain('Rules');
    const following = steps[at + 1]?.name;
    if (following === undefined) expect(own).not.toMatch(/^Next$/m);
    else expect(text).toMatch(new RegExp(String.raw`Next\n {2}PUT \S+ \(${following}\)`));
  }
});

test('contract accepts the headings that it prints', async () => {
  const { out } = await runCommand('contract', 'checkouts');
  const headings = [...out.matchAll(/^(PUT \S+ \(\w+\)): /gm)].map(([, heading = '']) => heading);
  expect(headings).toHaveLength(5);
  const [last = ''] = headings.slice(-1);
  const one = await runCommand('contract', last);
  expect(out.trimEnd().endsWith(one.out.trimEnd())).toBe(true);
  expect(one.out.startsWith(last)).toBe(true);
  const { code, err } = await runCommand('contract', last.replace(/\(.*/, '(nothing)'));
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('not found') });
});

test('contract prints one step by its name, and the ids that name each operation', async () => {
  const { out } = await runCommand('contract', 'shipping');
  expect(out).toMatch(/^PUT \/api\/checkouts\/:order_id \(shipping\): /);
  expect(out).toMatch(/^Names\n {2}submitCheckoutStep, shipping$/m);
  expect(out).not.toContain('npx backlot contract');
  const all = await runCommand('contract', 'submitCheckoutStep');
  expect(all.out).toMatch(/^A step alone:\nnpx backlot contract addressing\n/);
  const coupons = await runCommand('contract', 'coupons');
  expect(coupons.err).toContain('Did you mean GET /api/promotions/:promotion_id/coupons, or ');
});

test('contract says that a list has no criteria', async () => {
  const { out } = await runCommand('contract', 'GET /api/orders/');
  expect(out).toMatch(/^ {2}criteria +a block with no fields, optional$/m);
});

test('contract and openapi --only say what is wrong with a name', async () => {
  for (const args of [
    ['contract', 'POST /api/oders/'],
    ['openapi', '--only', 'POST /api/oders/'],
  ]) {
    const { code, err } = await runCommand(...args);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('Did you mean POST /api/orders/?'),
    });
  }
  expect((await runCommand('contract')).err).toContain('contract requires an endpoint');
});

test('openapi --only prints a part of the document on one line', async () => {
  const { out } = await runCommand('openapi', '--only', 'checkouts', '--only', 'listUsers');
  expect(Object.keys(JSON.parse(out).paths)).toEqual(['/api/users/', '/api/checkouts/{order_id}']);
  expect(out.trim().split('\n')).toHaveLength(1);
});

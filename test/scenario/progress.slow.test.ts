import { expect, test } from 'vitest';
import type { ScenarioInput } from '../../src/shop/office/scenario.ts';
import { openOffice } from '../support/office.ts';

const base = { name: 'many', description: 'Many orders', extends: 'default' } as const;
const order: NonNullable<ScenarioInput['orders']>[number] = {
  at: '-P1D',
  channel: 1,
  user: 1,
  currency: 'EUR',
  items: [{ variant: 1, quantity: 1 }],
  until: 'cart',
};

test.each<[string, ScenarioInput]>([
  ['generated orders', { ...base, generate: { orders: 3000, users: 600 } }],
  ['orders of its own', { ...base, orders: Array.from({ length: 2000 }, () => order) }],
])(
  'opening a scenario with %s reports the share of the work that is done, in ascending order',
  (_, scenario) => {
    const shares: number[] = [];
    openOffice({ scenario, onProgress: (share) => shares.push(share) });
    expect(shares.length).toBeGreaterThan(5);
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBeGreaterThan(0.75);
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
  },
);

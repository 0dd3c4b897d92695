import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/dom';
import 'backlot/jest';
import { createBackOffice } from 'backlot/node';
import { showOrder } from './page.ts';

const isCareful = process.env['CAREFUL'] === 'yes';

const text = (selector: string): string | undefined =>
  document.querySelector(selector)?.textContent ?? undefined;

const office = createBackOffice({ history: true });

beforeAll(() => office.listen());
beforeEach(() => office.reset());
afterAll(() => office.close());

test('an order shows its total', async () => {
  const { id } = office.given.anOrder({ awaits: 'payment' });
  await showOrder(id, isCareful);
  expect(text('h1')).toBe('€17.4');
});

test('a payment leads to the next step', async () => {
  const { id } = office.given.anOrder({ awaits: 'payment' });
  await showOrder(id, isCareful);
  document.querySelector('button')?.click();
  await waitFor(() => expect(text('#step')).toBe('payment'));
});

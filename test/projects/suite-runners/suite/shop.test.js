/**
 * @vitest-environment jsdom
 * @jest-environment jest-fixed-jsdom
 */
import { waitFor } from '@testing-library/dom';
import { createBackOffice } from 'backlot/node';
import { showOrder } from './pages.js';

const office = createBackOffice({ history: true });

beforeAll(() => office.listen());
beforeEach(() => office.reset());
afterAll(() => office.close());

const text = (selector) => document.querySelector(selector)?.textContent;

test('an order shows its total', async () => {
  await showOrder(office.given.anOrder({ awaits: 'payment' }).id);
  expect(text('h1')).toBe('€17.4');
});

describe('an order', () => {
  test('is paid', async () => {
    await showOrder(office.given.anOrder({ awaits: 'payment' }).id);
    document.querySelector('button').click();
    await waitFor(() => expect(text('#step')).toBe('payment'));
  });
});

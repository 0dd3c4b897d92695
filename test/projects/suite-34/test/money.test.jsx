import { cleanup, render, screen } from '@testing-library/react';
import { test } from 'backlot/vitest';
import { afterEach, expect, vi } from 'vitest';
import { day, money } from '../src/format.js';
import { Payment, Shipment, ShippingMethod } from '../src/pages.jsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('a payment has an amount in its currency', async () => {
  render(<Payment id={2} />);
  const heading = await screen.findByRole('heading');
  expect(heading.textContent).toBe('$63.76');
});

test('a payment has a state and a method', async () => {
  render(<Payment id={1} />);
  await screen.findByRole('heading');
  expect(document.body.textContent).toContain('completed');
  expect(document.body.textContent).toContain('Credit or debit card');
});

test('a shipment has a state and a date', async () => {
  render(<Shipment id={1} />);
  await screen.findByRole('heading');
  expect(screen.getByRole('heading').textContent).toBe('shipped');
  expect(document.body.textContent).toContain('An Post Standard');
  expect(document.body.textContent).toContain('Since 16/01/2026');
});

test('a delivery has a price', async () => {
  render(<ShippingMethod id={1} />);
  await screen.findByRole('heading');
  expect(screen.getByText(/for one$/).textContent).toBe('€4.50 for one');
  expect(screen.getByText(/for each$/).textContent).toBe('€1.00 more for each');
  expect(document.body.textContent).toContain('offered');
});

test('an amount is shown in its currency', () => {
  expect(money(1290, 'EUR')).toBe('€12.90');
  expect(day('2026-03-02T23:35:08+0000')).toBe('02/03/2026');
});

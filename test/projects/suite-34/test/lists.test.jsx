import { cleanup, render, screen, within } from '@testing-library/react';
import { test } from 'backlot/vitest';
import { afterEach, expect } from 'vitest';
import { Channels, Countries, Orders, Products, Users, Zones } from '../src/pages.jsx';

afterEach(cleanup);

/** Returns the texts of the rows of a table. */
async function rowsOf(page) {
  render(page);
  const table = await screen.findByRole('table');
  return within(table)
    .getAllByRole('row')
    .map((row) => Array.from(row.cells, ({ textContent }) => textContent));
}

test('orders have a number, a state and a total', async () => {
  const [[number, state, total]] = await rowsOf(<Orders />);
  expect(number).toBe('Order 105');
  expect(state).toBe('confirmed');
  expect(total).toBe('£87.70');
});

test('orders are listed with their customers', async () => {
  const rows = await rowsOf(<Orders />);
  expect(rows.map((row) => row[3])).toEqual([
    'callum.macleod77@example.com',
    'samir.haddad@example.com',
    'priya.nair@example.org',
  ]);
});

test('orders have pages', async () => {
  render(<Orders page={2} />);
  const footer = await screen.findByText(/in all/);
  expect(footer.textContent).toBe('94 in all, page 2 of 32');
});

test('an order of the list has a link', async () => {
  await rowsOf(<Orders />);
  expect(screen.getAllByRole('link')[0].getAttribute('href')).toBe('#/105');
});

test('products have names', async () => {
  const rows = await rowsOf(<Products />);
  expect(rows[0][0]).toBe('Pocket Repair Kit');
  expect(rows[0][1]).toBe('TL-REP');
});

test('there are three products on a page', async () => {
  const rows = await rowsOf(<Products />);
  expect(rows).toHaveLength(3);
});

test('users are listed by their addresses', async () => {
  const rows = await rowsOf(<Users />);
  expect(rows.flat()).toContain('wiremu.parata@example.com');
});

test('countries have codes', async () => {
  const rows = await rowsOf(<Countries />);
  expect(rows[0][0]).toBe('Ireland');
  expect(rows[1][1]).toBe('AT');
});

test('countries are counted', async () => {
  render(<Countries />);
  const footer = await screen.findByText(/in all/);
  expect(footer.textContent).toMatch(/^21 in all/);
  expect(footer.textContent).toMatch(/of 7$/);
});

test('zones say how many members they have', async () => {
  const rows = await rowsOf(<Zones />);
  expect(rows[0][0]).toBe('Ireland');
  expect(rows[1][1]).toBe('11 × country');
});

test('channels have names and currencies', async () => {
  const rows = await rowsOf(<Channels />);
  expect(rows[0][0]).toBe('Web shop Ireland');
  expect(rows[0][1]).toBe('WEB-IE');
  expect(rows[1][3]).toBe('EUR, GBP, PLN');
});

test('all channels are open', async () => {
  const rows = await rowsOf(<Channels />);
  expect(rows.map((row) => row[2])).toEqual(['open', 'open', 'open', 'open']);
});

import { cleanup, render, screen, waitForElementToBeRemoved } from '@testing-library/react';
import { test } from 'backlot/vitest';
import { afterEach, expect } from 'vitest';
import { Product, Promotion, StockLocation, User } from '../src/pages.jsx';

afterEach(cleanup);

/** Renders a page, and waits until it has read its record. */
async function open(page) {
  render(page);
  await waitForElementToBeRemoved(screen.queryByText('Loading …'));
}

test('a product has a name and a summary', async () => {
  await open(<Product id={1} />);
  expect(document.querySelector('h1')?.textContent).toBe('Enamel Camp Mug 350 ml');
  expect(document.querySelector('h2')?.textContent).toMatch(/^The blue-rimmed mug/);
});

test('a product shows its code, and tells more', async () => {
  await open(<Product id={1} />);
  expect(document.body.textContent).toContain('CK-MUG');
  expect(screen.queryByTitle(/two coats of cream enamel/)).not.toBeNull();
});

test('a product has a date', async () => {
  await open(<Product id={2} />);
  expect(document.body.textContent).toContain('On sale since 06/03/2023');
});

test('a user has a name and an address', async () => {
  await open(<User id={1} />);
  expect(document.querySelector('h1')?.textContent).toBe('gallagher.aoife@example.com');
  expect(document.querySelector('a')?.href).toBe('mailto:gallagher.aoife@example.com');
});

test('a user may sign in', async () => {
  await open(<User id={1} />);
  expect(screen.queryByText('may sign in')).not.toBeNull();
  expect(screen.queryByText('not locked')).not.toBeNull();
});

test('a warehouse has a code', async () => {
  await open(<StockLocation id={1} />);
  expect(document.querySelector('h1')?.textContent).toBe('Galway warehouse');
  expect(document.querySelector('h2')?.textContent).toBe('GWY');
});

test('a warehouse has an address', async () => {
  await open(<StockLocation id={1} />);
  expect(document.body.textContent).toContain('Liosbán Business Park');
  expect(document.body.textContent).toContain('Galway H91 XN24');
});

test('a promotion is counted', async () => {
  await open(<Promotion id={1} />);
  expect(document.querySelector('h1')?.textContent).toBe('Newsletter 10 %');
  expect(document.body.textContent).toContain('Used 899 times');
});

test('a promotion says how it is used', async () => {
  await open(<Promotion id={2} />);
  expect(screen.queryByText('with others')).not.toBeNull();
  expect(screen.queryByText('for all')).not.toBeNull();
  expect(screen.queryByText('Priority 10')).not.toBeNull();
});

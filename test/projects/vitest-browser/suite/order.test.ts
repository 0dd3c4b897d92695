import { test } from 'backlot/vitest';
import { afterEach, expect } from 'vitest';
import { page } from 'vitest/browser';

afterEach(() => document.body.replaceChildren());

/** Shows an order, or says that it cannot be shown. */
async function show(id: number): Promise<void> {
  document.body.textContent = 'Loading …';
  const response = await fetch(`/api/orders/${id}/`);
  if (!response.ok) {
    document.body.innerHTML = '<p role="alert">Not available</p>';
    return;
  }
  const { number, total } = (await response.json()) as { number: string; total: number };
  document.body.innerHTML = `<h1>Order ${number}</h1><p>${total}</p>`;
}

test('an order is shown', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'shipping' });
  void show(id).catch(() => undefined);
  await expect.element(page.getByRole('heading')).toBeVisible();
});

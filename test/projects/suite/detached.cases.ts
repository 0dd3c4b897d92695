import { test } from 'backlot/vitest';
import { expect, vi } from 'vitest';

/** Returns an element outside of the document that shows an app, as `mount` of the Test Utils of Vue does. */
function mount(app: (element: HTMLElement) => Promise<void>): HTMLElement {
  const element = Object.assign(document.createElement('div'), { __vue_app__: {} });
  void app(element);
  return element;
}

async function showOrder(element: HTMLElement, id: number): Promise<void> {
  element.innerHTML = '<p>Loading …</p>';
  try {
    const response = await fetch(`http://localhost/api/orders/${id}`);
    if (!response.ok) throw new Error(`Status ${response.status}`);
    const { total, state } = (await response.json()) as { total: number; state: string };
    element.innerHTML = `<h1>€${total / 100}</h1><p>${state}</p>`;
  } catch {
    element.innerHTML = '<p role="alert">The order cannot be shown now.</p>';
  }
}

test('an order is shown', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'shipping' });
  const element = mount((root) => showOrder(root, id));
  await vi.waitFor(() => expect(element.querySelector('h1')).not.toBeNull());
});

test('the API is asked', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'shipping' });
  expect((await fetch(`http://localhost/api/orders/${id}`)).status).toBe(200);
});

import { test } from 'backlot/vitest';
import { expect, vi } from 'vitest';

/** Returns an element outside of the document that shows an app, as `mount` of the Test Utils of Vue does. */
function mount(app: (element: HTMLElement) => Promise<void>): HTMLElement {
  const element = Object.assign(document.createElement('div'), { __vue_app__: {} });
  void app(element);
  return element;
}

async function showChannel(element: HTMLElement): Promise<void> {
  element.innerHTML = '<p>Loading …</p>';
  try {
    const response = await fetch('http://localhost/api/channels/1');
    if (!response.ok) throw new Error(`Status ${response.status}`);
    const { name, code } = (await response.json()) as { name: string; code: string };
    element.innerHTML = `<h1>${name}</h1><p>${code}</p>`;
  } catch {
    element.innerHTML = '<p role="alert">The channel cannot be shown now.</p>';
  }
}

test('a channel is shown', async () => {
  const element = mount(showChannel);
  await vi.waitFor(() => expect(element.querySelector('h1')).not.toBeNull());
});

test('the API is asked', async () => {
  expect((await fetch('http://localhost/api/channels/1')).status).toBe(200);
});

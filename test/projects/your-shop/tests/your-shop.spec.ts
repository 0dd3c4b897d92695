import { test as plainTest } from '@playwright/test';
import { createBackOffice } from 'backlot';
import { createTest, expect } from 'backlot/playwright';
import api from '../backlot.config.ts';
import { conversation } from '../conversation.ts';

const test = createTest<typeof api>();

const { fetch: ask } = createBackOffice({ api });

test('the session of a test answers the same bytes', async ({ office }) => {
  const expected = await conversation((path, init) => ask(path, init));
  expect(await conversation((path, init) => office.fetch(path, init))).toBe(expected);
  await expect(office).toHaveReceived('PUT /api/v1/checkouts/:order_id', { step: 'purchase' });
});

test('given sets up records of the definition', async ({ office }) => {
  const { id, name } = await office.given.aWishlist({ variants: [7] });
  const response = await office.fetch(`/api/v1/wishlists/${id}`);
  expect(await response.json()).toMatchObject({ id, name, variants: [7] });
});

plainTest('a page with a service worker answers the same bytes', async ({ page }) => {
  const { fetch: own } = createBackOffice({ api });
  const expected = await conversation((path, init) => own(path, init));
  await page.goto('/');
  await page.waitForFunction(() => document.title === 'Ready');
  const told = await conversation(async (path, init = {}) => {
    const { status, location, text } = await page.evaluate(
      async ([url, options]) => {
        const response = await fetch(url, options);
        const { status: code, headers } = response;
        return { status: code, location: headers.get('location'), text: await response.text() };
      },
      [path, init] as const,
    );
    return new Response(status === 204 ? null : text, {
      status,
      headers: location === null ? {} : { location },
    });
  });
  expect(told).toBe(expected);
});

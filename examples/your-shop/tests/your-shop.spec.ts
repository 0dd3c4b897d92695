import { test as plainTest, type TestInfo } from '@playwright/test';
import { createBackOffice } from 'backlot';
import { createTest, expect } from 'backlot/playwright';
import type api from '../backlot.config.ts';
import { conversation } from '../conversation.ts';
import { definitions } from '../definitions.ts';

const test = createTest<typeof api>();

/** Returns what a back office of the definition of a project answers. */
function expectedOf({ project: { name } }: Pick<TestInfo, 'project'>): Promise<string> {
  const office = createBackOffice({ api: definitions[name as keyof typeof definitions] });
  return conversation((path, init) => office.fetch(path, init));
}

test('the session of a test answers the same bytes', async ({ office }, info) => {
  const expected = await expectedOf(info);
  expect(await conversation((path, init) => office.fetch(path, init))).toBe(expected);
  await expect(office).toHaveReceived('PUT /api/v1/checkouts/:order_id', { step: 'purchase' });
});

test('given sets up records of the definition', async ({ office }) => {
  const { id, name } = await office.given.aWishlist({ variants: [7] });
  const response = await office.fetch(`/api/v1/wishlists/${id}`);
  expect(await response.json()).toMatchObject({ id, name, variants: [7] });
});

plainTest('a page with a service worker answers the same bytes', async ({ page }, info) => {
  const expected = await expectedOf(info);
  await page.goto(`/?config=${info.project.name}`);
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

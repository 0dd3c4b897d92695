import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { startRooms } from './room.ts';

const visit = startRooms();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Routes, and what each of them shows when it is loaded. */
const routes: readonly (readonly [route: string, shown: string])[] = [
  ['docs', 'Resources'],
  ['docs/submitCheckoutStep', 'Try it'],
  ['docs/listOrders', 'Try it'],
  ['data', 'addresses'],
  ['data/stock', 'Galway warehouse'],
  ['data/orders', '000000001'],
  ['data/orders/105', 'History of order 105'],
  ['data/variants/1', 'Stock of variant 1'],
  ['rules', 'Add a rule'],
  ['time', 'cart expires'],
];

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)(
  'axe finds nothing on the rooms in %s at %i pixels, and no page is wider',
  async (colorScheme, width) => {
    const { page, office, url, call } = await visit('/_backlot/', {
      colorScheme,
      viewport: { width, height: 800 },
      // The policy of the page forbids the script of axe.
      bypassCSP: true,
    });
    await call('GET /api/orders/105');
    office.faults.add({ match: { path: '/api/orders/:order_id' }, first: 2, status: 503 });
    office.script.add({ on: 'purchase', match: { card: '4242' }, outcome: 'declined' });
    office.snapshot('morning');
    await page.addScriptTag({ content: axe });
    const found: Record<string, unknown> = {};
    for (const [route, shown] of routes) {
      await page.goto(`${url}/_backlot/#/${route}`);
      await page.getByText(shown).first().waitFor();
      found[route] = await violations(page);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).fill('order');
    await page.getByRole('option').first().waitFor();
    found['palette'] = await violations(page);
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((route) => [route, []])));
  },
);

/** Returns the violations of a page, and how much wider than the screen it is. */
function violations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    interface Result {
      readonly violations: readonly {
        readonly id: string;
        readonly nodes: readonly { readonly html: string }[];
      }[];
    }
    const { axe: run } = globalThis as typeof globalThis & {
      axe: { run: (root: Document) => Promise<Result> };
    };
    const { violations: all } = await run.run(document);
    const excess = document.documentElement.scrollWidth - innerWidth;
    return [
      ...all.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html}`)),
      ...(excess > 0 ? [`${excess} pixels too wide`] : []),
    ];
  });
}

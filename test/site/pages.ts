/** Checks the pages of the built site in Chromium. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { open, pagesOf, type Site } from './blocks.ts';

/** Checks that links between pages lead to a page that exists, and to a place of it. */
export async function tryLinks(site: Site): Promise<void> {
  const places = new Map<string, readonly string[]>();
  const links = new Map<string, readonly string[]>();
  for (const name of pagesOf(site)) {
    await open(site, name);
    const [ids, hrefs] = await site.page.evaluate(() => [
      Array.from(document.querySelectorAll('[id]'), ({ id }) => id),
      Array.from(document.querySelectorAll<HTMLAnchorElement>('a[href]'), ({ href }) => href),
    ]);
    places.set(name, ids);
    links.set(name, hrefs);
  }
  const wrong = Array.from(links).flatMap(([name, hrefs]) =>
    hrefs
      .filter((href) => href.startsWith(site.url))
      .flatMap((href) => {
        const { pathname, hash } = new URL(href);
        const path = pathname.slice(new URL(site.url).pathname.length) || 'index.html';
        const ids = places.get(path.endsWith('.html') ? path : `${path}.html`);
        const isThere = hash === '' || ids?.includes(decodeURIComponent(hash.slice(1)));
        return ids !== undefined && isThere ? [] : [`${name} → ${href}`];
      }),
  );
  assert.deepEqual(wrong, []);
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const rules = [
  'color-contrast',
  'landmark-no-duplicate-banner',
  'landmark-one-main',
  'landmark-unique',
  'region',
];

/** Checks in light and in dark the contrast and the landmarks of all pages, and that pictures are of the mode, and wide. */
export async function tryColours(site: Site): Promise<void> {
  const { page } = site;
  const wrong: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const name of pagesOf(site)) {
      await open(site, name);
      await page.evaluate(axe);
      const results = await page.evaluate<AxeResults>(
        `axe.run({ runOnly: ${JSON.stringify(rules)} })`,
      );
      for (const { id, nodes } of results.violations)
        wrong.push(`${name}, ${colorScheme}: ${nodes.length} × ${id}`);
    }
    await open(site, 'studio.html');
    const pictures = await page
      .locator('.vp-doc img:visible')
      .evaluateAll((all) => all.map((one) => [one.getAttribute('src'), one.clientWidth] as const));
    assert.equal(pictures.length, 5);
    for (const [source = '', width] of pictures)
      if (source?.includes(`-${colorScheme}.`) !== true || width < 500)
        wrong.push(`${source} is ${width} px wide, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: null });
  assert.deepEqual(wrong, []);
}

const widths = [360, 768, 1280];

/** Checks that no page is wider than its window. */
export async function tryWidths(site: Site): Promise<void> {
  const { page } = site;
  const before = page.viewportSize() ?? { width: 1280, height: 1000 };
  const wide: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 1000 });
    for (const name of pagesOf(site)) {
      await open(site, name);
      const all = await page.evaluate(() => document.documentElement.scrollWidth);
      if (all > width) wide.push(`${name} has ${all} px of ${width}`);
    }
  }
  await page.setViewportSize(before);
  assert.deepEqual(wide, []);
}

/** Reaches the first *Run* of a page by the keyboard, and presses it: it shows that it has the focus, and keeps it. */
export async function tryKeyboard(site: Site): Promise<void> {
  const { page } = site;
  await open(site, 'five-minutes.html');
  const run = page.locator('.run-button').first();
  await run.waitFor();
  const isFocused = (): Promise<boolean> =>
    run.evaluate(
      (element) =>
        document.activeElement === element && getComputedStyle(element).outlineStyle !== 'none',
    );
  for (let left = 100; !(await isFocused()); left--) {
    assert.ok(left > 0, 'Tab does not reach the first Run');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await run.filter({ hasText: 'Run again' }).waitFor();
  assert.ok(await isFocused());
}

/** Runs the blocks of code of the built site in Chromium. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';

/** The built site. */
export interface Site {
  readonly page: Page;
  /** Where it is served: `http://127.0.0.1:4000/some/path/`. */
  readonly url: string;
  /** The folder with its files. */
  readonly built: string;
}

/** Returns the names of all pages: `errors.html`. */
export function pagesOf({ built }: Site): readonly string[] {
  return globSync('*.html', { cwd: built })
    .filter((name) => name !== '404.html')
    .toSorted();
}

/** Opens a page. */
export async function open({ page, url }: Site, name: string): Promise<void> {
  await page.goto(`${url}${name}`);
  await page.locator('.vp-doc, .home').first().waitFor();
}

/** Runs each block with commands of curl, in its order. */
export async function tryCommands(site: Site): Promise<void> {
  let count = 0;
  for (const name of pagesOf(site)) {
    await open(site, name);
    const buttons = site.page.locator('.run-button:not(.script .run-button)', { hasText: /^Run/ });
    for (let at = 0; at < (await buttons.count()); at++) {
      const block = buttons.nth(at).locator('..');
      await buttons.nth(at).click();
      await buttons.nth(at).filter({ hasText: 'Run again' }).waitFor();
      const text = await block.locator('code').innerText();
      const place = `${name}, block ${at + 1}: ${text}`;
      assert.match(text, /^\$ curl .*\n[{[H]/, place);
      assert.doesNotMatch(text, /^\{\n  "code": (404|405|500),/m, place);
      await block.getByRole('button', { name: 'Open in the studio' }).click();
      const studio = block.locator('xpath=following-sibling::*[1][@class="definition-studio"]');
      await studio.getByText('Activity').first().waitFor();
      count++;
    }
  }
  console.log(`measured: ${count} blocks of commands were run`);
}

/** Runs each block of TypeScript that a page can run, and opens its shop in the studio. */
export async function tryScripts(site: Site): Promise<void> {
  let count = 0;
  for (const name of pagesOf(site)) {
    if (!readFileSync(join(site.built, name), 'utf8').includes('class="script"')) continue;
    await open(site, name);
    const scripts = site.page.locator('.script');
    for (let at = 0; at < (await scripts.count()); at++) {
      const script = scripts.nth(at);
      await script.getByRole('button', { name: 'Run' }).click();
      await script.getByRole('button', { name: 'Run again' }).waitFor();
      const text = await script.locator('.script-output').innerText();
      assert.doesNotMatch(text, /✗/, `${name}, script ${at + 1}`);
      if (name === 'errors.html') {
        const heading = await script.locator('xpath=preceding::h2[1]').getAttribute('id');
        assert.ok(text.includes(`/errors#${heading}`), `${heading}: ${text}`);
      }
      count++;
      const studio = script.getByRole('button', { name: 'Open in the studio' });
      if ((await studio.count()) === 0) continue;
      await studio.click();
      await script.locator('.definition-studio').getByText('Activity').first().waitFor();
    }
  }
  console.log(`measured: ${count} scripts were run`);
}

/** Opens the shop of each definition in the studio. */
export async function tryDefinitions(site: Site): Promise<void> {
  await open(site, 'your-shop.html');
  const definitions = site.page.locator('.definition');
  const count = await definitions.count();
  assert.ok(count >= 8, `your-shop.html has ${count} definitions`);
  for (let at = 0; at < count; at++) {
    await definitions.nth(at).getByRole('button', { name: 'Open in the studio' }).click();
    await definitions.nth(at).locator('.definition-studio').getByText('GET').first().waitFor();
  }
  console.log(`measured: ${count} definitions were opened`);
}

const languages = ['ts', 'tsx', 'js', 'jsx', 'sh', 'console'];

/** Checks that each block of code is run: by a button of the page, or by a test that a line below the block names. */
export async function tryPlaces(site: Site): Promise<void> {
  const counts = { buttons: 0, places: 0 };
  for (const name of pagesOf(site)) {
    await open(site, name);
    for (const language of languages) {
      for (const block of await site.page.locator(`.vp-doc .language-${language}`).all()) {
        const isRun = (await block.locator('.run-button').count()) > 0;
        const below = block.locator('xpath=following-sibling::*[1][self::p][@class="place"]');
        const isNamed = (await below.count()) > 0;
        assert.ok(isRun || isNamed, `${name}: ${await block.innerText()}`);
        counts[isRun ? 'buttons' : 'places']++;
      }
    }
  }
  console.log(`measured: ${counts.buttons} blocks have a button, ${counts.places} name their test`);
}

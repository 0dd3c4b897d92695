/** @module-tag chromium */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { expect, onTestFinished } from 'vitest';
import { showsText, useBrowser } from '../support/browser.ts';
import { openPictureShop, playCheckout } from '../support/picture-shop.ts';
import { testPage, visit } from '../support/studio.ts';

useBrowser();

// `PICTURES=write npm run vitest -- --project page test/studio/pictures` replaces the pictures. Look at each of them then.
const folder = join(import.meta.dirname, 'pictures');
const writes = process.env['PICTURES'] === 'write';
/** How many of a thousand pixels may differ: fonts of the system, which code has, are not the same everywhere. */
const tolerance = 15;

const rooms = {
  home: ['home', /cart expires/],
  activity: ['activity?open=11', /Would be accepted[^]*"cardholderName"/],
  orders: ['orders', /Changed\s+\d/],
  order: ['orders/119', /confirmed[^]*What touched it/],
  data: ['data/orders', /1–50 of/],
  stock: ['data/stock', /CK-MUG/],
  rules: ['rules', /status 503/],
  time: ['time', /What comes next[^]*cart expires/],
  docs: ['docs/submitCheckoutStep', /Responses/],
} as const;

testPage.each(['light', 'dark'] as const)(
  'the rooms look as in their pictures: %s',
  async (colorScheme) => {
    const shop = await openPictureShop('default');
    onTestFinished(shop.close);
    await playCheckout(shop);
    const page = await visit(`${shop.url}/_backlot/#/home`, {
      colorScheme,
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      locale: 'en-GB',
    });
    const different: string[] = [];
    for (const [name, [route, shown]] of Object.entries(rooms)) {
      await page.goto(`${shop.url}/_backlot/#/${route}`);
      await showsText(page.locator('#main'), shown);
      const parts = await compare(await pictureOf(page), `${name}-${colorScheme}`);
      if (parts > tolerance) different.push(`${name}-${colorScheme}: ${parts.toFixed(1)} ‰`);
    }
    expect(different, 'See node_modules/.cache/pictures').toEqual([]);
  },
);

/** The port of the server differs each time. */
async function pictureOf(page: Page): Promise<Buffer> {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(300);
  return page.screenshot({ mask: [page.locator('.address')], animations: 'disabled' });
}

/** Returns how many of a thousand pixels differ from the picture, and keeps a picture that does. */
async function compare(taken: Buffer, name: string): Promise<number> {
  const path = join(folder, `${name}.png`);
  if (writes) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, taken);
  }
  const [one, other] = [PNG.sync.read(readFileSync(path)), PNG.sync.read(taken)];
  const { width, height } = one;
  const parts =
    (pixelmatch(one.data, other.data, undefined, width, height) / width / height) * 1000;
  if (parts > tolerance) {
    const failed = join(import.meta.dirname, '../../node_modules/.cache/pictures');
    mkdirSync(failed, { recursive: true });
    writeFileSync(join(failed, `${name}.png`), taken);
  }
  return parts;
}

testPage('a picture of another room is not within the tolerance', () => {
  const [home, rules] = ['home', 'rules'].map((name) =>
    PNG.sync.read(readFileSync(join(folder, `${name}-light.png`))),
  );
  const { width = 0, height = 0 } = home ?? {};
  const count = pixelmatch(home!.data, rules!.data, undefined, width, height);
  expect((count / width / height) * 1000).toBeGreaterThan(tolerance);
});

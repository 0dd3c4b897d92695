import type { BrowserContextOptions } from 'playwright';
import { useBrowser } from '../support/browser.ts';
import { openStudio, type Studio } from '../support/studio.ts';

/** A page of the studio. Its clicks are those of a pointer; keys that press a button are none. */
export interface SectionVisit extends Omit<Studio, 'clicks'> {
  clicks(): Promise<number>;
}

type Counted = typeof globalThis & { clicks: number };

/** Starts a browser for the tests of a file. Returns the function that opens a page of a new back office. */
export function startSections(): (
  path: string,
  context?: BrowserContextOptions,
) => Promise<SectionVisit> {
  useBrowser();
  return async (path, context = {}) => {
    const studio = await openStudio({ path, context });
    const { page } = studio;
    await page.evaluate(() => {
      const counted = globalThis as Counted;
      counted.clicks = 0;
      addEventListener('click', ({ detail }) => (counted.clicks += detail > 0 ? 1 : 0), true);
    });
    return { ...studio, clicks: () => page.evaluate(() => (globalThis as Counted).clicks) };
  };
}

import { expect } from 'vitest';
import { openStudio, testPage, useBrowser } from '../support/studio.ts';

useBrowser();

const widths = [360, 768, 1280, 1920];

/** Pages with something to open. */
const routes = ['home', 'activity', 'activity?open=2', 'orders/105', 'data/users/1', 'rules'];

testPage('all that opens lies within the page, at each width', async () => {
  const { page, call, visitRoute } = await openStudio({ path: '/_backlot/#/home' });
  await call('PATCH /api/users/1', { firstName: 'Grace' });
  await call('PUT /api/checkouts/119', {});
  const found: string[] = [];
  const opened = new Set<string>();
  for (const route of routes) {
    await visitRoute(`#/${route}`);
    await page.locator('#main').getByRole('button').first().waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 700 });
      const openers = page.locator('button[popovertarget], button.find');
      for (let at = 0; at < (await openers.count()); at++) {
        const opener = openers.nth(at);
        await opener.click();
        const part = page.locator(':popover-open, dialog[open]');
        await part.waitFor();
        const name = `${route} at ${width}: ${await opener.innerText()}`;
        opened.add(await opener.innerText());
        // What a person sees of it, and not a part that something around it cuts off.
        const isSeen = await part.evaluate((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          const { clientWidth, clientHeight } = document.documentElement;
          const corners = [
            [left + 16, top + 16],
            [right - 16, top + 16],
            [left + 16, bottom - 16],
            [right - 16, bottom - 16],
          ] as const;
          return (
            left >= 0 &&
            top >= 0 &&
            right <= clientWidth &&
            bottom <= clientHeight &&
            corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)))
          );
        });
        if (!isSeen) found.push(name);
        await page.keyboard.press('Escape');
        await part.waitFor({ state: 'hidden' });
      }
    }
  }
  expect(found).toEqual([]);
  expect([...opened].join('\n')).toMatch(/shared shop[^]*Find[^]*Share[^]*Copy as/);
});

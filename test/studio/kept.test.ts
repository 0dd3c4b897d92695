/** @module-tag chromium */
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, testServer, type Studio } from '../support/studio.ts';

useBrowser();

/** Sends requests, some at the same time. */
async function sendAll(count: number, send: (at: number) => Promise<unknown>): Promise<void> {
  for (let sent = 0; sent < count; sent += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, count - sent) }, (_, at) => send(sent + at)),
    );
}

/** Changes a user more often than the history keeps changes, so that #6 is the first that is kept. */
async function loseChanges({ call }: Studio): Promise<void> {
  await sendAll(505, (at) => call('PATCH /_backlot/tables/users/1', { first_name: `Ada ${at}` }));
}

test('a tape whose beginning is not kept has a torn edge, and says what is gone and of how many it shows the last', async () => {
  const studio = await openStudio();
  const { page, shows } = studio;
  await shows(/No requests yet/);
  expect(await page.locator('.timeline').count()).toBe(0);
  await loseChanges(studio);
  const line = page.getByRole('region', { name: 'Time line' });
  await shows(/After #505 · last 500 of 505 changes · Changes before #6 are not kept\./, line);
  const slider = page.getByRole('slider', { name: /Changes before #6 are not kept\./ });
  expect(await slider.getAttribute('aria-valuetext')).toBe('After #505');
  const [edge, tape] = await Promise.all([
    page.locator('.torn').boundingBox(),
    slider.boundingBox(),
  ]);
  expect(edge).toMatchObject({ x: tape!.x, height: tape!.height });
  await page.mouse.move(tape!.x + 2, tape!.y + 8);
  await shows(/^Changes before #6 are not kept\.$/, page.locator('.timeline .name'));
});

test('what is told of a record says since which entry, if earlier changes are not kept', async () => {
  const studio = await openStudio({ path: '/_backlot/#/data/orders/105' });
  const { page, click, shows, visitRoute } = studio;
  await shows(/Unchanged since the start\./);
  await loseChanges(studio);
  await shows(/Unchanged since #6\./);
  await visitRoute('#/data/users/1');
  await shows(/History of user 1[^]*Changes before #6 are not kept\./, page.locator('#main'));
  await visitRoute('#/data/variants/1');
  await click(/on hand, \d+ on hold/);
  await shows(/before #6\s+\d+ on hand/);
  await visitRoute('#/orders/105');
  await shows(/Journey since #6/);
  await shows(/Unchanged since #6\.\s+Changes before #6 are not kept\./, page.locator('.touched'));
  await click(/^confirmed/, page.locator('.journey'));
  await shows(/Changes before #6 are not kept\.\s+Unchanged since #6\./, page.locator('.why'));
});

test('counts of Activity say of how many entries they are, and the others can be listed', async () => {
  const { page, call, click, shows, reopen } = await openStudio({
    settings: { journalSize: 1000 },
  });
  await call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  await sendAll(599, () => call('GET /api/channels/1'));
  await reopen();
  const head = page.locator('.requests .head');
  await shows(/Writes 0[^]*of the 500 listed/, head);
  await click('and 100 more requests');
  await shows(/Writes 1/, head);
  expect(await head.innerText()).not.toContain('listed');
  expect(await page.locator('.gap').count()).toBe(0);
});

test('the list offers no reads that the server no longer has, and says that it keeps changes only', async () => {
  const { page, call, shows, reopen } = await openStudio({ settings: { journalSize: 20 } });
  await call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  await page.locator('[data-entry="1"]').waitFor();
  await Promise.all(Array.from({ length: 60 }, () => call('GET /api/nothing')));
  const gap = page.locator('.gap');
  // The journal has #42 to #61.
  const listed = async () => {
    const ids = await page
      .locator('[data-entry]')
      .evaluateAll((all) => all.map((one) => Number(one.getAttribute('data-entry'))));
    return ids.filter((id) => id >= 42).length;
  };
  const offered = async () => {
    const counts = [...(await gap.allInnerTexts()).join().matchAll(/and (\d+) more/g)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  };
  await expect.poll(async () => (await listed()) + (await offered())).toBe(20);
  await expect
    .poll(async () => {
      await gap.getByRole('button').first().click();
      await page.waitForTimeout(200);
      return gap.getByRole('button').count();
    })
    .toBe(0);
  expect(await listed()).toBe(20);
  // The page may have received older ones while the server still had them.
  await shows(/Before #\d+, only changes are kept/, gap);
  await reopen();
  await shows('Before #42, only changes are kept', gap);
  expect(await gap.getByRole('button').count()).toBe(0);
  await shows(/Before #42, only changes are kept\.$/, page.locator('.requests'));
});

testServer(
  'a preview that is refused shows what the server says, not a missing order',
  async () => {
    const studio = await openStudio({ path: '/_backlot/#/orders/105' });
    const { page, call, shows } = studio;
    const change = (at: number) =>
      call('PATCH /_backlot/tables/users/1', { first_name: `Ada ${at}` });
    await sendAll(500, change);
    await shows(/After #500 · 500 changes/);
    const refused =
      /The state before the first entry is no longer known: changes are kept from entry #2 on/;
    // The change that the server drops is dropped after the page knows that it can go back to it.
    await page.route('**/orders/105?at=0', async (route) => {
      await change(500);
      await route.continue();
    });
    await page.route('**/timeline', (route) => route.abort());
    const preview = () =>
      page.locator('#timeline').evaluate((input: HTMLInputElement) => {
        input.value = '0';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      });
    await preview();
    await shows(refused, page.locator('.order .stack'));
    await preview();
    await shows(
      /Entry #1 of the history not found\. Entries before #2 are not kept\./,
      page.locator('.timeline .name'),
    );
  },
);

/** @module-tag chromium */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { openStudio, shownIn } from '../support/studio.ts';
import { openShop, looks, routes } from './axe.ts';

useBrowser();

/** Returns the tones in which the page shows each of these words, apart from neutral ones. */
function tonesOf(page: Page, words: readonly string[]): Promise<Record<string, string[]>> {
  return page
    .locator('.studio, body')
    .last()
    .evaluate((root, shown) => {
      const colours = new Map(
        ['ok', 'warn', 'bad', 'info', 'vio'].map((tone) => {
          const sample = Object.assign(document.createElement('span'), { className: tone });
          root.append(sample);
          const { color } = getComputedStyle(sample);
          sample.remove();
          return [color, tone] as const;
        }),
      );
      const found: Record<string, string[]> = {};
      for (const element of root.querySelectorAll('*:not(.json *)')) {
        const text = (element.firstChild?.nodeValue ?? '').trim();
        const tone = colours.get(getComputedStyle(element).color);
        if (!shown.includes(text) || tone === undefined) continue;
        found[text] = [...new Set([...(found[text] ?? []), tone])];
      }
      return found;
    }, words);
}

test('a state has one tone in everything that the studio shows of it', async () => {
  const studio = await openStudio();
  const { page, call, read, visitRoute, shows, declineOrder } = studio;
  await declineOrder();
  await call('PUT /_backlot/clock', { advance: 'P1D' });
  await call('POST /_backlot/transitions/order/105', { transition: 'cancel' });
  const machines: { states: string[] }[] = await read('machines');
  const states = [...new Set(machines.flatMap((machine) => machine.states))];
  const all: Record<string, string[]> = {};
  for (const [route, shown] of [
    ['#/activity?open=6', /abandoned/],
    ['#/activity?open=7', /cancelled/],
    ['#/orders/106', /abandoned[^]*What touched it/],
    ['#/orders/105', /cancelled[^]*What touched it/],
    ['#/orders/119', /failed[^]*What touched it/],
    ['#/orders', /abandoned/],
  ] as const) {
    await visitRoute(route);
    await shows(shown);
    for (const [state, tones] of Object.entries(await tonesOf(page, states)))
      all[state] = [...new Set([...(all[state] ?? []), ...tones])];
  }
  expect(all).toMatchObject({ abandoned: ['bad'], cancelled: ['bad'] });
  expect(Object.entries(all).filter(([, tones]) => tones.length > 1)).toEqual([]);
});

test('an entry has the same tone in the list and where it is open', async () => {
  const { page, call, read, visitRoute } = await openStudio();
  await call('PATCH /_backlot/tables/users/1', { first_name: 'Grace' });
  await call('GET /api/nothing');
  await call('POST /_backlot/faults', { hold: 'one', match: { path: '/api/users/:id' } });
  const held = call('GET /api/users/1');
  const entries = async (): Promise<{ id: number; title: string; state?: string }[]> =>
    (await read('journal?view=summary')).summaries;
  await expect.poll(entries).toContainEqual(expect.objectContaining({ state: 'held' }));
  const found: unknown[] = [];
  for (const { id, title } of await entries()) {
    await visitRoute(`#/activity?open=${id}`);
    const pill = page.locator(`.detail:has-text("#${id} ") .pill`).first();
    const line = page.locator(`[data-entry="${id}"]`);
    const sign = line.locator('.status, .what > [aria-hidden]');
    found.push([
      title,
      toneIn(await sign.first().getAttribute('class')),
      toneIn(await pill.getAttribute('class')),
    ]);
  }
  await call('POST /_backlot/holds/one/release');
  await held;
  expect(found).toEqual([
    ['PATCH /_backlot/tables/users/1', 'info', 'info'],
    ['GET /api/nothing', 'bad', 'bad'],
    ['POST /_backlot/faults', 'info', 'info'],
    ['GET /api/users/1', 'warn', 'warn'],
  ]);
});

function toneIn(classes: string | null): string | undefined {
  return /\b(ok|warn|bad|info|vio)\b/.exec(classes ?? '')?.[0];
}

test('the studio says “rejected” of what was not accepted, and has no other word for it', async () => {
  const { page, call, visitRoute, shows } = await openShop(looks[1]);
  await call('POST /api/users/', { email: 'x' });
  await call('GET /api/nothing');
  const found: string[] = [];
  for (const [route, shown] of [...routes, ['#/activity?open=8', /rejected/] as const]) {
    await visitRoute(route);
    await shows(shown);
    const names = await page
      .locator(`${shownIn} [aria-label], ${shownIn} [title]`)
      .evaluateAll((all) =>
        all.map((one) => `${one.getAttribute('aria-label')} ${one.getAttribute('title')}`),
      );
    const text = `${await page.locator(shownIn).innerText()} ${names.join(' ')}`;
    found.push(...(text.match(/.{0,30}refus.{0,30}/gi) ?? []).map((one) => `${route}: ${one}`));
  }
  expect(found).toEqual([]);
});

import { expect, test } from 'vitest';
import { openStudio, useBrowser } from '../support/studio.ts';

useBrowser();

/** How long requests are sent, and how many in a second. FLOOD_SECONDS=10 for the budget of the bench. */
const seconds = Number(process.env['FLOOD_SECONDS'] ?? 3);
const rate = 500;

test.each(['#/requests', '#/orders', '#/orders/105'])(
  'at 500 requests a second, %s receives little, and keeps its open row, focus and place',
  async (route) => {
    const { page, office, call, declineOrder } = await openStudio({ path: `/_backlot/${route}` });
    await declineOrder();
    await call('PUT /api/orders/105', {});
    const row = page.locator(route === '#/orders' ? 'a[href="#/orders/105"]' : '.line').first();
    await row.click(route === '#/orders' ? { trial: true } : {});
    await row.focus();
    const isOpen = async () => ({
      isFocused: await row.evaluate((element) => element === document.activeElement),
      expanded: await row.getAttribute('aria-expanded'),
      text: (await row.innerText()).slice(0, 20),
      scroll: await page.evaluate(() => scrollY),
    });
    await page.waitForTimeout(1000);
    const before = await isOpen();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.dataReceived', ({ encodedDataLength, dataLength }) => {
      bytes += encodedDataLength === 0 ? dataLength : encodedDataLength;
    });
    const start = performance.now();
    for (let sent = 0; performance.now() - start < seconds * 1000;) {
      const due = ((performance.now() - start) / 1000) * rate;
      for (; sent < due; sent++) send(office.answer.bind(office), sent);
      await page.waitForTimeout(20);
    }
    const received = bytes / ((performance.now() - start) / 1000);
    await page.waitForTimeout(500);
    expect(await isOpen()).toEqual(before);
    expect(received).toBeGreaterThan(100);
    expect(received).toBeLessThanOrEqual(20_000);
    if (process.env['FLOOD_SECONDS'] !== undefined)
      console.log(route, Math.round(received), 'bytes/s');
  },
);

/** Mostly reads, and one write in ten. */
function send(
  answer: (request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    body?: string;
  }) => unknown,
  at: number,
): void {
  if (at % 10 > 0) {
    answer({ method: 'GET', url: `/api/channels/${1 + (at % 4)}`, headers: {} });
    return;
  }
  const body = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });
  const headers = { 'content-type': 'application/json' };
  answer({ method: 'POST', url: '/api/orders/', headers, body });
}

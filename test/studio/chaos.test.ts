/** @module-tag chromium */
import { expect } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { findingsFrom, traceFile } from '../support/chaos-findings.ts';
import { openStudio, testServer, type Studio } from '../support/studio.ts';

useBrowser();

function cell({ page }: Studio, request: string, text: string) {
  return page.locator('tr', { hasText: request }).getByText(text, { exact: true });
}

testServer(
  'the findings of the last run are a grid, whose red cells say why and open their traces',
  async () => {
    const studio = await openStudio({ path: '/_backlot/#/chaos', chaos: findingsFrom() });
    const { page, url, shows } = studio;
    await shows(/Each cell is a run[^]*: 10 red, 10 green, 2 grey/);
    // Red cells of one cause are one finding, as the command prints them.
    expect(
      await page.getByRole('list', { name: 'Findings' }).getByRole('listitem').allInnerTexts(),
    ).toEqual([
      'PUT /api/checkouts/:order_id under drop, drop after, 503, slow: The page says nothing under drop. 4 cells.\n\nBefore: “Pay”. After: “Loading …”.',
      expect.stringMatching(/^GET [^]* under drop, malformed, [^]* 6 cells\./),
    ]);
    await page.getByRole('columnheader', { name: 'drop after' }).waitFor();
    await expect.poll(() => page.locator('tbody').allInnerTexts()).toHaveLength(2);
    // The calls of a test are in the order in which it sends them.
    await shows(/a page pays[^]*GET \/api\/orders\/:order_id\/[^]*PUT \/api\/checkouts/);
    await cell(studio, 'PUT /api/checkouts', 'grey, 401').waitFor({ state: 'attached' });
    const red = page.getByRole('button', { name: 'red, drop after' });
    await red.focus();
    await page.keyboard.press('Enter');
    await shows(/The page says nothing under drop after/);
    await expect.poll(() => red.getAttribute('aria-expanded')).toBe('true');
    const href = await page.getByRole('link', { name: 'Open its trace' }).getAttribute('href');
    const trace = await fetch(new URL(href ?? '', url));
    expect(trace.headers.get('content-type')).toContain('text/html');
    expect(await trace.text()).toContain('A trace');
    await page.keyboard.press('Enter');
    await shows(/^(?![^]*under drop after)/);
  },
);

testServer(
  'Repeat puts the fault of a cell on the next request of its endpoint, once',
  async () => {
    const { page, shows, click, call, office } = await openStudio({
      path: '/_backlot/#/chaos',
      chaos: findingsFrom(),
    });
    await shows(/What the pages survive/);
    const row = page.locator('tr', { hasText: 'GET /api/orders/:order_id/' });
    await row.getByRole('button', { name: 'red, 503' }).click();
    await click(/^Repeat/);
    await shows(/You added fault 1/);
    expect(office.faults.list()).toMatchObject([{ status: 503, first: 1 }]);
    expect((await call('GET /api/orders/1')).status).toBe(503);
    expect((await call('GET /api/orders/1')).status).toBe(200);
    await page.getByRole('button', { name: 'red, drop after' }).click();
    await click(/^Repeat/);
    await expect.poll(() => office.faults.list()).toHaveLength(2);
    expect(office.faults.list()[1]).toMatchObject({ connection: 'drop', after: true, first: 1 });
    await click(/^Undo/);
    await expect.poll(() => office.faults.list()).toHaveLength(1);
  },
);

testServer(
  'without findings, the section is not offered, and says how there are some',
  async () => {
    const { page, shows, visitRoute } = await openStudio();
    await shows(/No requests yet/);
    expect(await page.getByRole('link', { name: 'Chaos' }).count()).toBe(0);
    await visitRoute('#/chaos');
    await shows(/No findings. Run npx backlot chaos -- vitest run/);
  },
);

testServer('findings that cannot be read are told in one line', async () => {
  const { shows } = await openStudio({
    path: '/_backlot/#/chaos',
    chaos: findingsFrom({ backlot: 'mutate' }),
  });
  await shows(/The findings of backlot chaos cannot be read\. Run npx backlot chaos/);
});

testServer(
  'only those who may see the sessions of a server see its findings, and no other file',
  async () => {
    const { call, url } = await openStudio({ chaos: findingsFrom(), controlToken: 'sesame' });
    expect((await call('GET /_backlot/chaos')).status).toBe(401);
    expect((await call('GET /_backlot/health')).body.may.findings).toBe(false);
    const headers = { 'x-backlot-token': 'sesame' };
    expect((await call('GET /_backlot/health', undefined, headers)).body.may.findings).toBe(true);
    const other = await fetch(`${url}/_backlot/chaos?trace=/etc/hosts`, { headers });
    expect(other.status).toBe(404);
    const own = await fetch(`${url}/_backlot/chaos?trace=${traceFile}`, { headers });
    expect(own.status).toBe(200);
  },
);

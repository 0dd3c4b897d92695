import { chromium } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { put, submitStep } from '../support/checkout-steps.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { startProgram } from '../support/program.ts';
import { digitsIn } from '../support/secrets.ts';

const number = '4000 0000 0000 0002';

test('neither the studio nor the log of the program shows a secret of a request', async () => {
  const { url, call, printed } = await startProgram('--scenario', 'awaiting-purchase');
  const coded = '%34%30%30%30%200000-0000+0002';
  await submitStep(call, 1, 'purchase', { cardholderName: 'Qx7 zJ', number, securityCode: '987' });
  await put(call, 1, { number: `no ${number}`, pin: 'Qx7' });
  await call(`GET /api/orders/4000000000000002?sid=Qx7&note=${coded}`);
  await call(`GET /api/${coded};jsessionid=Qx7`);
  await call('GET /api/users/1', undefined, {
    'x-jwt': 'Qx7',
    referer: `${url}/?csc=Qx7&card=${coded}`,
  });

  const browser = await chromium.launch(await chromiumLaunch());
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${url}/_backlot/#/activity`);
  await expect.poll(() => page.content()).toContain('jsessionid=***');
  let shown = '';
  for (const line of await page.locator('.line').all()) {
    await line.click();
    await expect.poll(() => page.locator('.detail [role=tab]').count()).toBeGreaterThan(0);
    for (const tab of await page.locator('.detail [role=tab]').all()) {
      await tab.click();
      shown += await page.content();
    }
  }
  expect(shown).toContain('************0002');
  expect(digitsIn(shown)).not.toContain('400000000000');
  expect(shown).not.toMatch(/Qx7|987/);

  await expect.poll(printed).toContain('GET     200 /api/users/1');
  expect(printed()).toContain('/api/orders/************0002?sid=***&note=************0002');
  expect(digitsIn(printed())).not.toContain('400000000000');
  expect(printed()).not.toContain('Qx7');
});

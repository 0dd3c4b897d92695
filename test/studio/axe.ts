import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright';
import { findingsFrom } from '../support/chaos-findings.ts';
import {
  hasServer,
  openStudio,
  scrolled,
  shownIn,
  type ServerOptions,
  type Studio,
} from '../support/studio.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Colours and widths in which the studio is shown. */
export const looks = [
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'light', width: 1280, forcedColors: 'active' },
  { colorScheme: 'dark', width: 360, forcedColors: 'active' },
] as const;

/** Routes, each with what it shows once it is loaded. */
export const routes = [
  ['#/home', /Begin again/],
  ['#/activity', /could not pay order 119/],
  ['#/activity?open=5', /Response 200/],
  ['#/orders', /Total[^]*EUR/],
  ['#/orders/119', /Parcels[^]*What touched it/],
  ['#/data', /stock items/],
  ['#/data/stock', /CK-MUG/],
  ['#/data/orders', /1–50 of/],
  ['#/data/orders/119', /checkout_state/],
  ['#/data/variants/1', /Edit\s+variant 1/],
  ['#/rules', /not met yet/],
  ...(hasServer ? ([['#/chaos', /What the pages survive/]] as const) : []),
  ['#/time', /morning/],
  ['#/docs', /Your app uses/],
  ['#/docs/listOrders', /Responses/],
  ['#/docs/submitCheckoutStep', /Responses/],
] as const;

/** Returns the options of a server that has something to show at each route. */
export function withFindings(): ServerOptions {
  return hasServer ? { chaos: findingsFrom() } : {};
}

/** Opens a shop with entries, faults, a script and a snapshot. */
export async function openShop(look: Look): Promise<Checked> {
  const studio = await openLook(look, withFindings());
  const { call, declineOrder, shows } = studio;
  await call('POST /_backlot/snapshot', { name: 'morning' });
  await declineOrder();
  const match = { path: '/api/orders/:order_id' };
  await call('POST /_backlot/faults', { match, every: 9, status: 503 });
  const card = { on: 'purchase', match: { card: '4242' }, outcome: 'declined' };
  await call('POST /_backlot/script', card);
  await shows(/could not pay order 119/);
  return studio;
}

type Look = (typeof looks)[number];

export interface Checked extends Studio {
  /** What `check` has found. */
  readonly found: readonly string[];
  /** Notes the violations of what the page shows. */
  readonly check: (name: string) => Promise<void>;
  /** Shows a route, and checks it once it is loaded. */
  readonly checkRoute: (route: string, loaded: RegExp) => Promise<void>;
}

/** Opens a studio as a person with these preferences has it. */
export async function openLook(
  { colorScheme, width, ...look }: Look,
  options: ServerOptions,
  path?: string,
): Promise<Checked> {
  const viewport = { width, height: 800 };
  const studio = await openStudio({
    ...options,
    ...(path !== undefined && { path }),
    context: { colorScheme, viewport, ...look, bypassCSP: true, reducedMotion: 'reduce' },
  });
  const { page, visitRoute, shows } = studio;
  await page.addScriptTag({ content: axe });
  const found: string[] = [];
  const check = async (name: string) => {
    found.push(...(await violations(page)).map((one) => `${name}: ${one}`));
    const excess = await scrolled(page).evaluate((one) => one.scrollWidth - one.clientWidth);
    if (excess > 0) found.push(`${name} is ${excess} px too wide`);
  };
  const checkRoute = async (route: string, loaded: RegExp) => {
    await visitRoute(route);
    await shows(loaded);
    await check(route);
  };
  return { ...studio, found, check, checkRoute };
}

async function violations(page: Page): Promise<string[]> {
  // The rows of a long list are alike.
  const rows = "['.stock > li:nth-child(n + 5)', 'tbody > tr:nth-child(n + 9)']";
  const results = await page.evaluate<AxeResults>(
    `axe.run({ include: '${shownIn}', exclude: ${rows} })`,
  );
  return results.violations.map(
    ({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
  );
}

import { lazyRecord } from '../engine/lib/lazy-object.ts';
import { onDemand } from '../engine/lib/on-demand.ts';
import type { ScenarioName } from './office/scenario.ts';

/** The names of the files of records. */
export const fixtureNames = [
  'addresses',
  'channels',
  'countries',
  'coupons',
  'currencies',
  'locales',
  'payment_methods',
  'products',
  'promotions',
  'provinces',
  'shipping_categories',
  'shipping_methods',
  'stock_items',
  'stock_locations',
  'tax_categories',
  'tax_rates',
  'taxons',
  'users',
  'variants',
  'zones',
] as const;

/** The names of the files of scenarios. */
export const scenarioNames = [
  'default',
  'empty',
  'filled-cart',
  'awaiting-shipping',
  'awaiting-payment',
  'awaiting-confirm',
  'awaiting-purchase',
  'declined-cards',
  'slow-payments',
  'backorders',
  'sale',
  'flaky',
  'large',
  'authenticated',
] as const satisfies readonly ScenarioName[];

/** The contents of the files, by their names. */
export interface BuiltInFiles {
  readonly fixtures: Readonly<Record<(typeof fixtureNames)[number], unknown>>;
  readonly scenarios: Readonly<Record<ScenarioName, unknown>>;
}

/** The files, of which a process reads few: an entry point for Node.js reads each when it is needed, and pages import all. */
export const builtInFiles = onDemand<BuiltInFiles>();

export const sources = {
  fixtures: lazyRecord(fixtureNames, (name) => builtInFiles.parts().fixtures[name]),
  scenarios: lazyRecord(scenarioNames, (name) => builtInFiles.parts().scenarios[name]),
};

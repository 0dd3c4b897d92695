import { createRequire } from 'node:module';
import type * as history from '../../engine/office/history-and-reasons.ts';
import { historyParts } from '../../engine/office/history-parts.ts';
import { valueAt } from '../../engine/lib/json-value.ts';
import { lazyRecord } from '../../engine/lib/lazy-object.ts';
import type * as compile from '../../engine/rest/compile.ts';
import { compiler } from '../../engine/rest/compiler.ts';
import { prebuiltStarts } from '../../engine/scenario/prebuilt-part.ts';
import { openPrebuilt } from '../../engine/scenario/prebuilt-starts.ts';
import type * as tables from '../../engine/store/collections.ts';
import { collections } from '../../engine/store/collections-part.ts';
import { builtInFiles, fixtureNames, scenarioNames } from '../../shop/built-in-names.ts';
import type * as storeControl from '../../shop/control/index.ts';
import type * as store from '../../shop/explanations-and-orders.ts';
import { control, storeParts } from '../../shop/store-parts.ts';

/** What the package has below these names of `imports` in its package.json. */
interface Parts {
  readonly '#parts/collections': typeof tables;
  readonly '#parts/compiler': typeof compile;
  readonly '#parts/control': typeof storeControl;
  readonly '#parts/history': typeof history;
  readonly '#parts/orders': typeof store;
}

const load = createRequire(import.meta.url);

/**
 * Does the same as `shop/parts.ts`, for the package in Node.js: each part is loaded when it is first needed. Hosts that cannot
 * require ES modules begin to import them; `backlot/jest` and `backlot/vitest` provide them there.
 */
export function provideParts(): void {
  if (prebuiltStarts.isLoaded()) return;
  prebuiltStarts.provide(() => ({ openPrebuilt }));
  builtInFiles.provide(() => ({
    fixtures: lazyRecord(fixtureNames, (name): unknown => load(`#fixtures/${name}.json`)),
    scenarios: lazyRecord(scenarioNames, (name): unknown => load(`#scenarios/${name}.json`)),
  }));
  if (!canRequire()) {
    for (const one of [collections, historyParts, storeParts, control]) void one.load();
    return;
  }
  collections.provide(() => part('#parts/collections'));
  compiler.provide(() => part('#parts/compiler'));
  historyParts.provide(() => part('#parts/history'));
  storeParts.provide(() => part('#parts/orders'));
  control.provide(() => part('#parts/control').storeControl);
}

/**
 * Whether this host requires the instance of this module that others import: Jest before Node.js 24.9 and vitest 4 with `node:vm`
 * cannot require it, and tsx makes another one.
 */
function canRequire(): boolean {
  try {
    return valueAt(load('#parts'), ['provideParts']) === provideParts;
  } catch {
    return false;
  }
}

/** Requires an ES module: the instance that others import. */
function part<Name extends keyof Parts>(name: Name): Parts[Name] {
  // TypeScript knows types of modules that are imported, not of those that are required.
  return load(name) as Parts[Name];
}

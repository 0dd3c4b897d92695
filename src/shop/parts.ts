import { compile } from '../engine/rest/compile.ts';
import * as history from '../engine/office/history-and-reasons.ts';
import { historyParts } from '../engine/office/history-parts.ts';
import { compiler } from '../engine/rest/compiler.ts';
import { prebuiltStarts } from '../engine/scenario/prebuilt-part.ts';
import { openPrebuilt } from '../engine/scenario/prebuilt-starts.ts';
import { createCollections } from '../engine/store/collections.ts';
import { collections } from '../engine/store/collections-part.ts';
import * as files from './built-in-files.ts';
import { builtInFiles } from './built-in-names.ts';
import { storeControl } from './control/index.ts';
import * as store from './explanations-and-orders.ts';
import { control, storeParts } from './store-parts.ts';

/**
 * Provides all parts at once, for back offices that are opened synchronously. In the package, Node.js itself takes
 * `mounts/node/parts-on-demand.ts` instead; bundlers and runners of tests that load modules by themselves take this one.
 */
export function provideParts(): void {
  builtInFiles.provide(() => files);
  collections.provide(() => ({ createCollections }));
  compiler.provide(() => ({ compile }));
  historyParts.provide(() => history);
  prebuiltStarts.provide(() => ({ openPrebuilt }));
  storeParts.provide(() => store);
  control.provide(() => storeControl);
}

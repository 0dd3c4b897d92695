import { compile } from 'zod';
import * as history from '../engine/office/history-and-reasons.ts';
import { historyParts } from '../engine/office/history-parts.ts';
import { compiler } from '../engine/rest/compiler.ts';
import { prebuiltStarts } from '../engine/scenario/prebuilt-part.ts';
import { openPrebuilt } from '../engine/scenario/prebuilt-starts.ts';
import { storeControl } from './control/index.ts';
import * as store from './explanations-and-orders.ts';
import { control, storeParts } from './store-parts.ts';

/** Provides all parts at once, for programs and for back offices that are opened synchronously. */
export function provideParts(): void {
  compiler.provide({ compile });
  historyParts.provide(history);
  prebuiltStarts.provide({ openPrebuilt });
  storeParts.provide(store);
  control.provide(storeControl);
}

import '../engine/rest/no-eval.ts';
import { openBackOffice } from '../engine/office/open-back-office.ts';
import { historyParts } from '../engine/office/history-parts.ts';
import { createCollections } from '../engine/store/collections.ts';
import { collections } from '../engine/store/collections-part.ts';
import * as files from './built-in-files.ts';
import { builtInFiles } from './built-in-names.ts';
import { storeApi } from './store-api.ts';
import type { StoreOffice, StoreOptions } from './office/store-office.ts';
import { storeParts } from './store-parts.ts';

/** Opens a back office of the store as `openStoreOffice`. What needs more than `loadParts` has loaded throws a Problem. */
export function openInPage({ api = storeApi, ...options }: StoreOptions = {}): StoreOffice {
  builtInFiles.provide(() => files);
  collections.provide(() => ({ createCollections }));
  return openBackOffice({ ...options, api }) as StoreOffice;
}

/** Loads what a back office needs in addition to its first responses: its history, explanations and generated orders. */
export async function loadParts(): Promise<void> {
  await Promise.all([historyParts.load(), storeParts.load()]);
}

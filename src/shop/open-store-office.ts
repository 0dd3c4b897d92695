import { openBackOffice } from '../engine/office/open-back-office.ts';
import { provideParts } from './parts.ts';
import { storeApi } from './store-api.ts';
import type { StoreOffice, StoreOptions } from './office/store-office.ts';

export { provideParts };

/**
 * Opens a back office of the store.
 *
 * @throws Problem `missing` if the scenario is not found, `invalid` with every issue of a scenario of your own
 */
export function openStoreOffice({ api = storeApi, ...options }: StoreOptions = {}): StoreOffice {
  provideParts();
  return openBackOffice({ ...options, api }) as StoreOffice;
}

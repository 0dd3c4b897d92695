import { openInPage } from './open-in-page.ts';
import { provideParts } from './parts.ts';
import type { StoreOffice, StoreOptions } from './store-office.ts';

/**
 * Opens a back office of the store.
 *
 * @throws Problem `missing` if the scenario is not found, `invalid` with every issue of a scenario of your own
 */
export function openStoreOffice(options?: StoreOptions): StoreOffice {
  provideParts();
  return openInPage(options);
}

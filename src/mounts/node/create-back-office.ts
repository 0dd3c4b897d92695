import { openStoreOffice } from '../../shop/open-store-office.ts';
import { loadHttp } from './load-msw.ts';
import { mount, type MountedBackOffice, type MountOptions } from '../mount.ts';
import type { TypedOptions, WithTables } from '../../engine/office/typed-office.ts';

/**
 * Opens an isolated back office: it shares no state with any other.
 *
 * @throws Problem `missing` if there is no scenario of this name; `invalid` with every issue of a scenario object
 */
export function createBackOffice<Tables = unknown>(
  options?: MountOptions & TypedOptions<Tables>,
): WithTables<MountedBackOffice, Tables> {
  return mount({ open: openStoreOffice, loadHttp }, options);
}

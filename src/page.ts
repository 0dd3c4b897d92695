import { http } from 'msw';
import { openStoreOffice } from './shop/open-store-office.ts';
import { mount, type MountedBackOffice, type MountOptions } from './mounts/mount.ts';
import type { TypedOptions, WithTables } from './engine/office/typed-office.ts';

export { Problem } from './engine/lib/problem.ts';
export { defineScenario } from './shop/office/scenario.ts';

/** Creates a back office as `index.ts` does, but in a page: MSW is imported, because a page cannot require it later. */
export function createBackOffice<Tables = unknown>(
  options?: MountOptions & TypedOptions<Tables>,
): WithTables<MountedBackOffice, Tables> {
  return mount({ open: openStoreOffice, loadHttp: () => http }, options);
}

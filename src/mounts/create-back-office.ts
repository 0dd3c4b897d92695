import { provideOptionalParts } from '../shop/optional.ts';
import { optionalParts } from '../shop/optional-parts.ts';
import {
  createBackOffice as createMounted,
  type MountedBackOffice,
  type MountOptions,
} from './mount.ts';
import type { TypedOptions, WithTables } from '../engine/office/typed-office.ts';

/** Opens a back office with the parts that `startWorker` of a page loads later, so that it opens any scenario at once. */
export function createBackOffice<Tables = unknown>(
  options?: MountOptions & TypedOptions<Tables>,
): WithTables<MountedBackOffice, Tables> {
  provideOptionalParts(optionalParts);
  return createMounted(options);
}

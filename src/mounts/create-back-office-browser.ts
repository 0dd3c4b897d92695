import { provideOptionalParts } from '../shop/optional-browser.ts';
import { optionalParts } from '../shop/optional-parts.ts';
import {
  createBackOffice as createMounted,
  type MountedBackOffice,
  type MountOptions,
} from './mount.ts';
import type { TypedOptions, WithTables } from '../engine/office/typed-office.ts';

/**
 * Replaces `create-back-office.ts` in the bundle for browsers: opens any scenario at once and brings the optional parts,
 * which `backlot/browser` loads later.
 */
export function createBackOffice<Tables = unknown>(
  options?: MountOptions & TypedOptions<Tables>,
): WithTables<MountedBackOffice, Tables> {
  provideOptionalParts(optionalParts);
  return createMounted(options);
}

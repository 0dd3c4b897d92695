import * as history from '../office/history-parts.ts';
import { provideHistory } from '../office/history-opener-browser.ts';
import { provideOptionalParts } from '../shop/optional-browser.ts';
import * as parts from '../shop/optional-parts.ts';
import {
  createBackOffice as createMounted,
  type MountedBackOffice,
  type MountOptions,
} from './mount.ts';

/**
 * Replaces `create-back-office.ts` in the bundle for browsers: opens any scenario at once and brings the optional parts and
 * the history, which `backlot/browser` loads later.
 */
export function createBackOffice(options?: MountOptions): MountedBackOffice {
  provideOptionalParts(parts);
  provideHistory(history);
  return createMounted(options);
}

import { openHistory } from '../office/history.ts';
import { provideHistory } from '../office/history-opener-browser.ts';
import { provideOptionalParts } from '../scenario/optional-browser.ts';
import * as parts from '../scenario/optional-parts.ts';
import * as generator from '../shop/generate/generate.ts';
import { provideGenerator } from '../shop/optional-browser.ts';
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
  provideGenerator(generator);
  provideHistory(openHistory);
  return createMounted(options);
}

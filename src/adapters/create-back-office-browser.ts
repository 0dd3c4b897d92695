import { generateOrders } from '../scenario/generate/generate.ts';
import { openHistory } from '../office/history.ts';
import { provideHistory } from '../office/history-opener-browser.ts';
import { provideGenerator } from '../scenario/generator-browser.ts';
import {
  createBackOffice as createMounted,
  type MountedBackOffice,
  type MountOptions,
} from './mount.ts';

/**
 * Replaces `create-back-office.ts` in the bundle for browsers: opens any scenario at once and brings the generator and
 * the history, which `backlot/browser` loads later.
 */
export function createBackOffice(options?: MountOptions): MountedBackOffice {
  provideGenerator(generateOrders);
  provideHistory(openHistory);
  return createMounted(options);
}

import { generateOrders } from '../scenario/generate/generate.ts';
import { provideGenerator } from '../scenario/generator-browser.ts';
import {
  createBackOffice as createMounted,
  type MountedBackOffice,
  type MountOptions,
} from './mount.ts';

/**
 * Replaces `create-back-office.ts` in the bundle for browsers: opens any scenario at once, so it brings the generator,
 * which `backlot/browser` loads later.
 */
export function createBackOffice(options?: MountOptions): MountedBackOffice {
  provideGenerator(generateOrders);
  return createMounted(options);
}

import type { NamesOf } from '../engine/lib/unknown-keys.ts';
import { mountOptions } from './mount.ts';
import type { OfficeOptions } from './vitest.ts';

/** Shared by the two modules that open the back office of a test. */
export const officeOptionNames: NamesOf<OfficeOptions> = {
  ...mountOptions,
  onUnhandledRequest: true,
  clients: true,
  handlers: true,
  workerUrl: true,
  trace: true,
};

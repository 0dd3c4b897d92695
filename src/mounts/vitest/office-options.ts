import type { NamesOf } from '../../engine/lib/unknown-keys.ts';
import { mountOptions, type MountOptions } from '../mount.ts';
import type { ListenOptions } from '../node.ts';
import type { TraceMode } from './trace.ts';

/** Options of the back office of a test. In browser mode, only `handlers` of those of `listen` applies. */
export interface OfficeOptions extends MountOptions, ListenOptions {
  /** In browser mode, the URL of MSW's worker script (default: `/mockServiceWorker.js`). */
  readonly workerUrl?: string | undefined;
  /**
   * When the trace of the back office is saved in `.backlot/traces`, as a page that shows what happened: after a failed test,
   * whose error names the file, after each test, or never (default: `on-failure`). The history is on unless it is `off`.
   * In browser mode, it is JSON unless the configuration has the command `saveBacklotTrace`.
   */
  readonly trace?: TraceMode | undefined;
}

/** Shared by the two modules that open the back office of a test. */
export const officeOptionNames: NamesOf<OfficeOptions> = {
  ...mountOptions,
  onUnhandledRequest: true,
  clients: true,
  handlers: true,
  workerUrl: true,
  trace: true,
};

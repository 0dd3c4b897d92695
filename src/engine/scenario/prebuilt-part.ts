import { onDemand } from '../lib/on-demand.ts';
import type { openPrebuilt } from './prebuilt-starts.ts';

/** Opens prebuilt starts, if an entry point provides it: pages have no files of them. */
export const prebuiltStarts = onDemand<{ readonly openPrebuilt: typeof openPrebuilt }>();

import { bundleStudio, nodeModule } from '../engine/dashboard/bundle.ts';
import type { StudioScripts } from '../engine/definition/api.ts';
import { once } from '../engine/lib/memoized.ts';

// The build replaces this module with one that contains the texts, so a user of the package needs no esbuild.

/** The studio with the pages of the store, bundled from its sources at the first call. */
export const studioScripts = once((): StudioScripts => {
  const folder = nodeModule('node:url').fileURLToPath(new URL('studio', import.meta.url));
  return bundleStudio(folder);
});

import { bundleStudio, nodeModule } from '../engine/dashboard/bundle.ts';
import type { StudioScripts } from '../engine/definition/api.ts';

// The build replaces this module with one that contains the texts, so a user of the package needs no esbuild.

let scripts: StudioScripts | undefined;

/** The studio with the pages of the store, bundled from its sources at the first call. */
export function studioScripts(): StudioScripts {
  const folder = nodeModule('node:url').fileURLToPath(new URL('studio', import.meta.url));
  return (scripts ??= bundleStudio(folder));
}

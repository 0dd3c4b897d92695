import { loadOptionalParts } from '../../engine/scenario/optional.ts';
import { createBackOffice, type MountedBackOffice, type MountOptions } from '../mount.ts';

/** Opens a back office, and loads the generator and the history if it cannot be opened without them. */
export async function openInPage(options: MountOptions): Promise<MountedBackOffice> {
  try {
    return createBackOffice(options);
  } catch {
    await loadOptionalParts();
    return createBackOffice(options);
  }
}

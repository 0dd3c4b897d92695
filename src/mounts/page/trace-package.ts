import { openStoreOffice } from '../../shop/open-store-office.ts';
import { mount, type MountedBackOffice, type MountOptions } from '../mount.ts';

export { showStudio } from '../devtools.ts';
export { version } from '../server/version.ts';

/** Opens a back office for the page of a trace, which intercepts no requests. */
export function createBackOffice(options: MountOptions): MountedBackOffice {
  return mount({ open: openStoreOffice, loadHttp: noMsw }, options);
}

function noMsw(): never {
  throw new Error('The page of a trace has no handlers.');
}

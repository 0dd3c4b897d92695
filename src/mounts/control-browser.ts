import { storeServed } from '../shop/control/index.ts';
import { controlOf as ofOffice } from './office-control.ts';

export { settle, withoutSessions } from './office-control.ts';

/** Replaces `control.ts` in the bundle for browsers: brings what the store has for the control API. */
export const controlOf: typeof ofOffice = (backOffice, ...given) => {
  backOffice.shop.api.served?.provide(storeServed);
  return ofOffice(backOffice, ...given);
};

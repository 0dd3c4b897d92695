import {
  verifyServer,
  type Verification,
  type VerifyOptions,
} from '../../src/verify/drift/verify.ts';
import { storeDrift } from '../../src/verify/store/index.ts';
import { storeApi } from '../../src/shop/store-api.ts';

/** What checks of exchanges know of the store. */
export const ofStore = { api: storeApi, drift: storeDrift };

/** Checks whether a server keeps the contract of the store. */
export function verifyStore(options: Omit<VerifyOptions, 'api'>): Promise<Verification> {
  return verifyServer({ api: storeApi, ...options });
}

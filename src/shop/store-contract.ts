import { contractOf, type Contract } from '../engine/coverage/contract.ts';
import { once } from '../engine/lib/memoized.ts';
import { storeDocuments } from './documents.ts';
import { storeApi } from './store-api.ts';

/** Returns the contract of the store, for reports of coverage. */
export const storeContract = once((): Contract => contractOf(storeApi, storeDocuments.guards));

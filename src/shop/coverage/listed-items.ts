import { listedItems, type ContractList } from '../../engine/coverage/contract-list.ts';
import { contractItems, type Item } from '../../engine/coverage/measures.ts';
import { storeApi } from '../store-api.ts';
import { dataRulesOf } from './data-rules.ts';
import { storeHint } from './hint-lines.ts';

/** Returns everything of the store API that is counted. */
export function storeItems(): readonly Item[] {
  return contractItems(storeApi, dataRulesOf);
}

/** Returns the contract list of the store. It breaks each rule of validation to find them all, which takes seconds. */
export function contractList(): ContractList {
  return {
    items: listedItems(storeItems(), storeHint),
    endpoints: storeApi.endpoints.map(({ method, path }) => ({ method, path })),
  };
}

import { machines } from '../../shop/checkout/machines/transition.ts';
import { contract } from '../../shop/resources/index.ts';
import { oauthEndpoints } from '../../shop/resources/oauth.ts';
import { tokenGuard } from '../../shop/resources/token-guard.ts';
import { hintFor } from './hints.ts';
import type { Measure } from './keys.ts';
import { contractItems, type CoveredApi, type Item } from './measures.ts';

/** One thing of the contract that a suite meets or does not meet, as a report needs it. */
export interface ListedItem {
  readonly measure: Measure;
  readonly id: string;
  /** JavaScript that meets the item, for a back office `office` of the scenario `default`. */
  readonly hint: string;
}

/** What reports need of the contract, as plain data. */
export interface ContractList {
  readonly items: readonly ListedItem[];
  readonly endpoints: readonly { readonly method: string; readonly path: string }[];
}

const store: CoveredApi = {
  endpoints: [...contract, ...oauthEndpoints],
  machines: Object.values(machines),
  guards: [tokenGuard],
};

/** Returns everything of the store API that is counted. */
export function storeItems(): readonly Item[] {
  return contractItems(store);
}

let list: ContractList | undefined;

/**
 * Returns what reports need of the contract. The build of the library replaces this module by the list that it returns,
 * because breaking each rule of validation to find them all takes longer than a small test suite may.
 */
export function contractList(): ContractList {
  list ??= {
    items: storeItems().map((item) => ({
      measure: item.measure,
      id: item.id,
      hint: hintFor(item),
    })),
    endpoints: store.endpoints.map(({ method, path }) => ({ method, path })),
  };
  return list;
}

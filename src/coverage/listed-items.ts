import { contract } from '../resources/index.ts';
import { oauthEndpoints } from '../resources/oauth.ts';
import { hintFor } from './hints.ts';
import type { Measure } from './keys.ts';
import { contractItems } from './measures.ts';

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

let list: ContractList | undefined;

/**
 * Returns what reports need of the contract. The build of the library replaces this module by the list that it returns,
 * because breaking each rule of validation to find them all takes longer than a small test suite may.
 */
export function contractList(): ContractList {
  list ??= {
    items: contractItems().map((item) => ({
      measure: item.measure,
      id: item.id,
      hint: hintFor(item),
    })),
    endpoints: [...contract, ...oauthEndpoints].map(({ method, path }) => ({ method, path })),
  };
  return list;
}

import type { ApiDefinition } from '../definition/api.ts';
import { hintFor, type ApiHint } from './hints.ts';
import type { Measure } from './keys.ts';
import type { Item } from './measures.ts';

/** One thing of the contract that a suite meets or does not meet, as a report needs it. */
export interface ListedItem {
  readonly measure: Measure;
  readonly id: string;
  /** JavaScript that meets the item, for a back office `office` of the scenario `default`. */
  readonly hint: string;
}

/** The part of the contract that reports need, as plain data. */
export interface ContractList {
  readonly items: readonly ListedItem[];
  readonly endpoints: readonly { readonly method: string; readonly path: string }[];
}

/** Returns the items of a contract that a report of an API lists: none, if the API has no endpoint of it. */
export function listFor({ endpoints }: ApiDefinition, list: ContractList): ContractList {
  const isOwn = endpoints.every(({ isExtension }) => isExtension === true);
  return isOwn ? { items: [], endpoints } : list;
}

/** Returns the items of an API, each with a line that meets it. */
export function listedItems(items: readonly Item[], apiHint: ApiHint): ListedItem[] {
  return items.map((item) => {
    const { measure, id } = item;
    return { measure, id, hint: hintFor(item, apiHint) };
  });
}

import { existsSync, readFileSync } from 'node:fs';
import type { ContractList } from '../../engine/coverage/contract-list.ts';
import { once } from '../../engine/lib/memoized.ts';
import { contractList } from '../../shop/coverage/listed-items.ts';

/** The name of the file with the list, which the build writes next to this module: making it takes seconds. */
export const listFile = 'contract-list.json';

/** Returns the contract list of the store, for reports. */
export const knownContract = /* @__PURE__ */ once((): ContractList => {
  const file = new URL(`./${listFile}`, import.meta.url);
  if (!existsSync(file)) return contractList();
  return JSON.parse(readFileSync(file, 'utf8')) as ContractList;
});

import type { ApiDefinition } from '../definition/api.ts';
import type { CoverageCounts } from './counts.ts';

/** The lists of what is counted. */
export type CountList = Exclude<keyof CoverageCounts, 'requests'>;

/** Counts what is met of the contract. A back office without one counts nothing. */
export interface CoverageRecorder {
  /** Counts a request. @param documented returns the documented responses of endpoints that a definition has added to its API */
  request(api: ApiDefinition, documented: () => readonly string[]): void;
  add(list: CountList, key: string): void;
  /** Returns a recorder for a session of a server, if its sessions are counted one by one. */
  ofSession?(name: string): CoverageRecorder;
}

/** Maximum number of different entries in a list. A fault may respond with any status. */
const maxEntries: Readonly<Record<CountList, number>> = {
  items: 10_000,
  unmatched: 500,
  parameters: 500,
  extensions: 500,
  documented: 10_000,
};

/** Counts for any number of back offices. It imports nothing: each test file loads it. */
export class Coverage implements CoverageRecorder {
  #requests = 0;
  readonly #lists: Readonly<Record<CountList, Map<string, number>>> = {
    items: new Map(),
    unmatched: new Map(),
    parameters: new Map(),
    extensions: new Map(),
    documented: new Map(),
  };
  /** The APIs whose added endpoints are listed. */
  readonly #apis = new Set<ApiDefinition>();

  request(api: ApiDefinition, documented: () => readonly string[]): void {
    this.#requests += 1;
    if (this.#apis.has(api)) return;
    this.#apis.add(api);
    for (const response of documented()) this.add('documented', response);
  }

  add(list: CountList, key: string): void {
    const counts = this.#lists[list];
    const count = counts.get(key);
    if (count !== undefined || counts.size < maxEntries[list]) counts.set(key, (count ?? 0) + 1);
  }

  /** Returns the counts, and starts at zero if `reset` is true. */
  counts({ reset = false }: { readonly reset?: boolean } = {}): CoverageCounts {
    const { items, unmatched, parameters, extensions, documented } = this.#lists;
    const counts = {
      requests: this.#requests,
      items: Object.fromEntries(items),
      unmatched: Object.fromEntries(unmatched),
      parameters: Object.fromEntries(parameters),
      extensions: Object.fromEntries(extensions),
      documented: Object.fromEntries(documented),
    };
    if (!reset) return counts;
    this.#requests = 0;
    this.#apis.clear();
    for (const list of Object.values(this.#lists)) list.clear();
    return counts;
  }
}

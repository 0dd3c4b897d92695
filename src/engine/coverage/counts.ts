/** Counts of the items of the contract that were met, which can be added up. */
export interface CoverageCounts {
  /** Number of requests. */
  readonly requests: number;
  /** How often each item was met, by key, unknown items included. */
  readonly items: Readonly<Record<string, number>>;
  /** Requests without an endpoint, `GET /api/ordres/1`, by method and path. */
  readonly unmatched: Readonly<Record<string, number>>;
  /** Parameters that their endpoint does not have: `POST /api/orders/ curency`. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Responses of endpoints that a definition adds to the contract: `GET /api/wishlists/ 200`. */
  readonly extensions: Readonly<Record<string, number>>;
  /** The responses that documents have of these endpoints, and how many back offices listed them. */
  readonly documented: Readonly<Record<string, number>>;
}

export const noCounts: CoverageCounts = {
  requests: 0,
  items: {},
  unmatched: {},
  parameters: {},
  extensions: {},
  documented: {},
};

/** Adds up the counts of sessions, processes and shards. */
export function mergeCounts(all: Iterable<CoverageCounts>): CoverageCounts {
  const lists = [...all];
  const sum = (name: Exclude<keyof CoverageCounts, 'requests'>): Record<string, number> => {
    const total = new Map<string, number>();
    for (const counts of lists)
      for (const [key, count] of Object.entries(counts[name]))
        total.set(key, (total.get(key) ?? 0) + count);
    return Object.fromEntries(total);
  };
  return {
    requests: lists.reduce((total, { requests }) => total + requests, 0),
    items: sum('items'),
    unmatched: sum('unmatched'),
    parameters: sum('parameters'),
    extensions: sum('extensions'),
    documented: sum('documented'),
  };
}

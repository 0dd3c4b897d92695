import { read } from './tree.ts';

/** A row of the table in `docs/demos.md`: endpoints, and the number of requests that each counts as. */
export interface CostRow {
  /** Paths of endpoints. `/api/*` has all paths below `/api/`. */
  readonly patterns: readonly string[];
  readonly requests: number;
}

/** Returns the rows of the section "What a request counts as". */
export function costTable(): readonly CostRow[] {
  const [, section = ''] = read('docs/demos.md').split('## What a request counts as\n');
  const rows = section.split('\n## ', 1)[0]!.matchAll(/^\| (`.*`) \| (\d+) \|/gm);
  return Array.from(rows, ([, patterns = '', requests]) => ({
    patterns: Array.from(patterns.matchAll(/`([^`]+)`/g), ([, pattern = '']) => pattern),
    requests: Number(requests),
  }));
}

/** Returns the row with the longest pattern that has the path of an endpoint. @throws Error if there is none */
export function rowOf(path: string): CostRow {
  const matching = costTable().flatMap((row) =>
    row.patterns.filter((one) => matches(one, path)).map((pattern) => ({ pattern, row })),
  );
  const [longest] = matching.toSorted((a, b) => b.pattern.length - a.pattern.length);
  if (longest === undefined) throw new Error(`docs/demos.md does not say what ${path} counts as`);
  return longest.row;
}

/** Whether a pattern has the path of an endpoint. */
export function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

import { distance } from 'fastest-levenshtein';

/** Of a path, the largest part in which a row that is like it differs: `/api/wishlists/` is not like `/api/payments/`. */
const maxShare = 0.45;

/**
 * Returns the row with the smallest Levenshtein distance from a path, with the parameters of the row filled in; undefined if
 * none is like it.
 */
export function closestRow<Row extends { readonly method: string; readonly path: string }>(
  method: string,
  path: string,
  rows: readonly Row[],
): Row | undefined {
  const sent = withoutSlash(path).slice(0, 200).split('/');
  const score = (row: Row): number => {
    const filled = withoutSlash(row.path)
      .split('/')
      .map((segment, index) => (segment.startsWith(':') ? (sent[index] ?? segment) : segment));
    return distance(filled.join('/'), sent.join('/')) + (row.method === method ? 0 : 0.5);
  };
  let best: { row: Row; score: number } | undefined;
  for (const row of rows) {
    const next = score(row);
    if (best === undefined || next < best.score) best = { row, score: next };
  }
  const length = Math.max(path.length, best?.row.path.length ?? 0);
  return best !== undefined && best.score <= length * maxShare ? best.row : undefined;
}

export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

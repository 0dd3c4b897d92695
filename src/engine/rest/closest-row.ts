import { addressOf, nameOf } from '../lib/api-path.ts';
import { distance } from 'fastest-levenshtein';

/** Of a path, the largest part in which a row that is like it differs: `/api/wishlists/` is not like `/api/payments/`. */
const maxShare = 0.45;

/** The part of an endpoint that is compared. */
interface Named {
  readonly method: string;
  readonly path: string;
}

/**
 * Returns the row with the smallest Levenshtein distance from a path, with the parameters of the row filled in; undefined if
 * none is like it.
 */
export function closestRow<Row extends Named>(
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

/**
 * Returns the endpoint that is closest to what a client sent, as clients send it: `GET /api/v1/orders/`.
 *
 * @param api its endpoints, and the path where clients find them
 */
export function closestEndpoint(
  method: string,
  sent: string,
  { endpoints, path }: { readonly endpoints: readonly Named[]; readonly path: string },
): string | undefined {
  const closest = closestRow(method, nameOf(path, sent), endpoints);
  return closest && `${closest.method} ${addressOf(path, closest.path)}`;
}

export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

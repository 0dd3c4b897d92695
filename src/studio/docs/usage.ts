import type { OpenApi, OperationHead } from '../openapi.ts';
import { operationHeads } from '../openapi.ts';
import { isOfStore } from '../sent-request.ts';
import type { Summary } from '../source.ts';

/** How often requests used an operation, by the status of their responses. */
export type Usage = ReadonlyMap<number, number>;

/** The usage of operations, by their ids. */
export type AllUsage = ReadonlyMap<string, Usage>;

/**
 * Returns how listed requests used the operations of an API. What a studio sends is not the app's.
 *
 * @param entries of the history
 */
export function usageOf(document: OpenApi, entries: readonly Summary[]): AllUsage {
  const used = new Map<string, Map<number, number>>();
  // What has fewer parameters is more exact.
  const heads = operationHeads(document)
    .filter(({ path }) => isOfStore(path))
    .toSorted((one, other) => parametersOf(one) - parametersOf(other));
  for (const { title, status, by, actor } of entries) {
    if (by !== 'request' || status === undefined || actor?.startsWith('studio ') === true) continue;
    const id = heads.find((head) => isFor(head, title))?.id;
    if (id === undefined) continue;
    const statuses = used.get(id) ?? new Map<number, number>();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    used.set(id, statuses);
  }
  return used;
}

/** Whether no response was as it should be. */
export function isFailed(usage: Usage): boolean {
  return [...usage.keys()].every((status) => status === 0 || status >= 400);
}

/** `12 ×: 200, 404 × 2` */
export function usageText(usage: Usage): string {
  const all = [...usage.values()].reduce((one, other) => one + other, 0);
  const statuses = [...usage].toSorted(([one], [other]) => one - other);
  const texts = statuses.map(([status, count]) =>
    `${status === 0 ? 'drop' : status} ${count > 1 && usage.size > 1 ? `× ${count}` : ''}`.trim(),
  );
  return `${all} ×: ${texts.join(', ')}`;
}

function parametersOf({ path }: OperationHead): number {
  return path.split('{').length;
}

/** Whether a request was one for an operation. @param title its method and URL: `GET /api/orders/105?page=2` */
function isFor({ method, path }: OperationHead, title: string): boolean {
  const [sent = '', url = ''] = title.split(' ');
  if (sent !== method) return false;
  const named = segmentsOf(path);
  const parts = segmentsOf(url.replace(/[?#].*/s, ''));
  return (
    parts.length === named.length &&
    named.every((name, at) => name.startsWith('{') || name === parts[at])
  );
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

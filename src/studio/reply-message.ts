import { isObject, valueAt } from '../engine/lib/json-value.ts';
import { formatValue } from './format.ts';
import type { Reply } from './source.ts';

/** Returns the message of an error with the first message of each invalid field. */
export function messageOf({ status, body }: Pick<Reply<unknown>, 'status' | 'body'>): string {
  const message = valueAt(body, ['message']) ?? `status ${status}`;
  return [formatValue(message), ...fieldErrors(valueAt(body, ['errors']))].join(' ');
}

function fieldErrors(node: unknown, path: readonly string[] = []): string[] {
  if (!isObject(node)) return [];
  const { errors, children } = node;
  const own = Object.values(isObject(errors) ? errors : []).map((text) =>
    [path.join('.') || [], formatValue(text)].flat().join(': '),
  );
  const inner = Object.entries(isObject(children) ? children : {}).flatMap(([name, child]) =>
    fieldErrors(child, [...path, name]),
  );
  return [...own, ...inner];
}

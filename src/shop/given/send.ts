import { isObject, valueAt } from '../../engine/lib/json-value.ts';
import { unknownKeys } from '../../engine/lib/unknown-keys.ts';
import { Problem, truncate } from '../../engine/lib/problem.ts';
import { issuesIn } from '../../engine/rest/error-tree.ts';
import type { StoreOffice } from '../office/store-office.ts';

/**
 * Sends a request that is not recorded, and returns the body of its response.
 *
 * @param name method and path for messages: `POST /api/users/`
 * @param own names of values that only `given` has, for messages
 * @throws Problem `refused` with the response
 */
export function sendUnobserved(
  office: Pick<StoreOffice, 'requestUnobserved'>,
  name: string,
  url: string,
  body?: object,
  own: readonly string[] = [],
): unknown {
  const [method = 'GET'] = name.split(' ');
  const response = office.requestUnobserved({
    method,
    url,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // A declined purchase was submitted.
  if (response.status < 300 || response.status === 402) return JSON.parse(response.body ?? 'null');
  throw new Problem(
    'refused',
    `Failed to set up: ${name} returned ${response.status}: ${reasonOf(response.body, body)}${unknownFields(own, response.body, body)}`,
  );
}

/** Returns the issue of each field with what was sent, or the response that has none. */
function reasonOf(response = '', sent: object = {}): string {
  const errors = valueAt(JSON.parse(response || 'null'), ['errors']);
  const issues = isObject(errors) ? issuesIn(errors) : [];
  if (issues.length === 0) return response;
  return issues
    .map(({ path, message }) => {
      const value = path.length === 0 ? undefined : valueAt(sent, path);
      const shown = value === undefined ? '' : ` It was ${truncate(JSON.stringify(value), 80)}.`;
      return `${path.join('.') || 'body'}: ${message}${shown}`;
    })
    .join(' ');
}

/** Returns which fields the form of an endpoint does not have, and what may have been meant; empty if it has all. */
function unknownFields(own: readonly string[], response = '{}', sent: object = {}): string {
  const children = valueAt(JSON.parse(response), ['errors', 'children']);
  if (!isObject(children)) return '';
  const unknown = Object.keys(sent).filter((field) => !Object.hasOwn(children, field));
  const text = unknownKeys(unknown, [...Object.keys(children), ...own], 'field');
  return unknown.length === 0 ? '' : `. ${text}`;
}

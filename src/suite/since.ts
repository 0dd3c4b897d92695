import { isObject, valueAt } from '../engine/lib/json-value.ts';
import { ApiDocument } from './api-document.ts';

/** What has changed since a commit. */
export interface Changes {
  /** The commit with which the files are compared. */
  readonly base: string;
  /** Full paths of the files that are there now. */
  readonly files: readonly string[];
  /** Endpoints whose part of the document has changed: `GET /api/orders/:order_id`. */
  readonly endpoints: readonly string[];
}

/** The part of a suite that has changed. */
export interface Scope {
  /** Files of tests that have changed, or a module of them. */
  readonly files: readonly string[];
  readonly endpoints: readonly string[];
}

/** Whether a trial is of what has changed: of an endpoint, or of a test. Without a scope, each is. */
export function isInScope(
  scope: Scope | undefined,
  endpoints: readonly string[],
  files: readonly string[],
): boolean {
  return (
    scope === undefined ||
    endpoints.some((one) => scope.endpoints.some((other) => isSamePath(one, other))) ||
    files.some((file) => scope.files.includes(file))
  );
}

/** A slash at the end of a path does not matter. */
function isSamePath(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

/**
 * Returns the endpoints of an OpenAPI document that an older one does not have, or describes otherwise, itself or in what it refers to.
 *
 * @param before undefined if there is none
 * @throws Error for what is no such document
 */
export function changedEndpoints(before: unknown, after: unknown): string[] {
  const known = before === undefined ? new Map<string, string>() : partsOf(before);
  return [...partsOf(after)]
    .filter(([name, part]) => known.get(name) !== part)
    .map(([name]) => name);
}

/** Keys of a path that are no methods. */
const notMethods = new Set(['parameters', 'servers', 'summary', 'description', '$ref']);

/** Returns what a document says of each endpoint, as a text. */
function partsOf(document: unknown): Map<string, string> {
  const paths = Object.values(valueAt(document, ['paths']) ?? {});
  const parts = new ApiDocument(new Map([['', document]])).paths.flatMap((path, at) => {
    const item: unknown = paths[at % paths.length];
    return Object.entries(isObject(item) ? item : {})
      .filter(([method]) => !notMethods.has(method))
      .map(([method, operation]) => {
        const shared = valueAt(item, ['parameters']);
        const text = contentText({ operation, shared }, document);
        return [`${method.toUpperCase()} ${path}`, text] as const;
      });
  });
  return new Map(parts);
}

/** Returns a value and all that it refers to as a text. The order of members does not matter. */
function contentText(value: unknown, document: unknown): string {
  const parts = new Map<string, string>();
  const open: [name: string, value: unknown][] = [['', value]];
  for (const [name, one] of open) {
    if (parts.has(name)) continue;
    const text = JSON.stringify(one, inOrder) ?? '';
    parts.set(name, text);
    for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]*)"/g))
      open.push([reference, valueAt(document, reference.split('/').map(unescaped))]);
  }
  return JSON.stringify([...parts].toSorted(([name], [other]) => (name < other ? -1 : 1)));
}

/** Sorts the members of an object by their names. */
function inOrder(_: string, value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  const sorted = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted);
}

/** `~1api~1orders` → `/api/orders`: https://www.rfc-editor.org/rfc/rfc6901 */
function unescaped(key: string): string {
  return decodeURI(key).replaceAll('~1', '/').replaceAll('~0', '~');
}

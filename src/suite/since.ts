import { isObject } from '../engine/lib/json-value.ts';
import { ApiDocument, type DocumentFiles, type Schema } from './api-document.ts';

/** What has changed since a commit. */
export interface Changes {
  /** The commit with which the files are compared. */
  readonly base: string;
  /** Full paths of the files that are there now. */
  readonly files: readonly string[];
  /** Full paths of the files of the document. */
  readonly documents: readonly string[];
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
export function changedEndpoints(
  before: DocumentFiles | undefined,
  after: DocumentFiles,
): string[] {
  const known = before === undefined ? new Map<string, string>() : partsOf(before);
  return [...partsOf(after)]
    .filter(([name, part]) => known.get(name) !== part)
    .map(([name]) => name);
}

/** Returns what a document says of each endpoint, as a text. */
function partsOf(files: DocumentFiles): Map<string, string> {
  const document = new ApiDocument(files);
  return new Map(
    document.operations.map(({ endpoint, content, file }) => [
      endpoint,
      contentText({ schema: content, file }, document),
    ]),
  );
}

/** Returns a part of a document and all that it refers to as a text. The order of members does not matter. */
function contentText(part: Schema, document: ApiDocument): string {
  const seen = new Set<string>();
  const texts: string[] = [];
  const open = [part];
  for (const { schema, file } of open) {
    const text = JSON.stringify(schema, inOrder);
    texts.push(text);
    for (const [, reference = ''] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
      const name = `${file} ${reference}`;
      if (!seen.has(name)) open.push(document.resolve({ schema: { $ref: reference }, file }));
      seen.add(name);
    }
  }
  return JSON.stringify(texts);
}

/** Sorts the members of an object by their names. */
function inOrder(_: string, value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  const sorted = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted);
}

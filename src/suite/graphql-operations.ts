import { isObject, parseJson } from '../engine/lib/json-value.ts';

/** The operations of GraphQL that a request sends. */
export interface GraphQlRequest {
  /** `query GetOrders`: their types, and their names or those of their first fields. */
  readonly operations: readonly string[];
  /** Whether the request sends a list of operations, and receives one of results. */
  readonly isBatch: boolean;
}

/**
 * Returns what a request sends of GraphQL; undefined for another request.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/
 */
export function graphQlRequest(url: URL, body: string | undefined): GraphQlRequest | undefined {
  const sent = url.searchParams.has('query')
    ? Object.fromEntries(url.searchParams)
    : parseJson(body ?? '');
  const isBatch = Array.isArray(sent);
  const found = (isBatch ? sent : [sent]).map(operationOf);
  const operations = found.filter((one) => one !== undefined);
  const isGraphQl = operations.length > 0 && operations.length === found.length;
  return isGraphQl ? { operations, isBatch } : undefined;
}

function operationOf(sent: unknown): string | undefined {
  if (!isObject(sent)) return undefined;
  const { query, operationName, extensions } = sent;
  const name = typeof operationName === 'string' ? operationName : '';
  if (typeof query === 'string') return operationIn(query, name);
  // The document of a persisted operation is known by its digest.
  return isObject(extensions) && name !== '' ? name : undefined;
}

/** Returns an operation of a document: that of a name, or the first one. */
function operationIn(document: string, name: string): string | undefined {
  const definitions = definitionsIn(document).map(({ head, selection }) => {
    const [, type = 'query', own = ''] = /^(\w+)(?:\s+(\w+))?/.exec(head) ?? [];
    const [, first = ''] = /^\s*(?:\w+\s*:\s*)?(\w+)/.exec(selection) ?? [];
    return { type, own, first };
  });
  if (!definitions.every(({ type }) => /^(query|mutation|subscription|fragment)$/.test(type)))
    return undefined;
  const operations = definitions.filter(({ type }) => type !== 'fragment');
  const chosen = operations.find(({ own }) => own === name) ?? operations[0];
  return chosen && `${chosen.type} ${chosen.own || chosen.first}`;
}

/** A definition of a document: what stands before its selection of fields, and the selection. */
interface Definition {
  readonly head: string;
  readonly selection: string;
}

/** The texts, comments, brackets and other parts of a document. */
const tokens = /"""(?:[^"\\]|\\[^]|"(?!""))*(?:""")?|"(?:\\.|[^"\\\n])*"?|#.*|[{}()]|[^{}()"#]+/g;

/** Splits a document into its definitions, without arguments, texts and comments. */
function definitionsIn(document: string): Definition[] {
  const definitions: Definition[] = [];
  let [depth, parentheses] = [0, 0];
  let [head, selection] = ['', ''];
  for (const [token] of document.matchAll(tokens)) {
    if (token === '(') parentheses += 1;
    else if (token === ')') parentheses -= 1;
    if (parentheses > 0 || /^["#]/.test(token)) continue;
    const part = token === ')' ? ' ' : token;
    if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    else if (depth === 0) head += part;
    else if (depth === 1) selection += part;
    if (token !== '}' || depth > 0) continue;
    definitions.push({ head: head.trim(), selection });
    [head, selection] = ['', ''];
  }
  // A text that ends otherwise is no document.
  return head.trim() === '' && depth === 0 ? definitions : [];
}

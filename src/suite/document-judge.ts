import { isBelow } from '../engine/lib/api-path.ts';
import { hintOf } from '../engine/lib/unknown-keys.ts';
import { parseJson } from '../engine/lib/json-value.ts';
import type { ApiDocument, Operation } from './api-document.ts';
import { closest, endpointNames, fits } from './endpoint-names.ts';
import { faultOf, type JudgedResponse, type MockFault, type MockJudge } from './mocks.ts';
import { countNote } from './recorded-suite.ts';
import { differencesIn, shown } from './schema-shape.ts';
import type { ReceivedResponse } from './trials.ts';

/** Judges responses by an OpenAPI document. */
export class DocumentJudge implements MockJudge {
  readonly #document: ApiDocument;
  /** The base path of the API at each of its origins. */
  readonly #bases: ReadonlyMap<string, string>;
  #failures = 0;
  #unread = 0;

  constructor(document: ApiDocument, responses: readonly ReceivedResponse[]) {
    this.#document = document;
    const urls = Map.groupBy(
      responses.map(({ url }) => new URL(url)),
      ({ origin }) => origin,
    );
    this.#bases = new Map(
      [...urls].flatMap(([origin, all]) => {
        const base = baseOf(document, origin, all);
        return base === undefined ? [] : [[origin, base] as const];
      }),
    );
  }

  judge(response: ReceivedResponse): JudgedResponse | undefined {
    const { method, url, status } = response;
    const { origin, pathname } = new URL(url);
    const base = this.#bases.get(origin);
    if (base === undefined || !isBelow(base, pathname) || /^(HEAD|OPTIONS)$/.test(method))
      return undefined;
    const path = pathname.slice(base.length) || '/';
    const operations = closest(this.#document.operations, segmentsOf, segmentsIn(path), parameter);
    const operation = operations.find(({ endpoint }) => endpoint.startsWith(`${method} `));
    if (operation === undefined) {
      const [other] = operations;
      const subject =
        other === undefined ? nameOf(method, pathname) : `${method} ${base}${named(other)}`;
      return { subject, faults: [this.#unknownOperation(path, operations)] };
    }
    const endpoint = `${method} ${base}${named(operation)}`;
    const documented = this.#document.responseOf(operation, status);
    if (documented === undefined) return this.#undocumented(endpoint, operation, status);
    const subject = `${endpoint} ${status}`;
    const { body } = documented;
    if (body === undefined) return { subject, faults: [] };
    if (response.body === undefined) {
      this.#unread += 1;
      return { subject, faults: [] };
    }
    const value = parseJson(response.body);
    if (value === undefined) return { subject, faults: [noJson(response.body)] };
    const differences = differencesIn(value, body, this.#document);
    return { subject, faults: differences.map((one) => faultOf(one)) };
  }

  #unknownOperation(path: string, operations: readonly Operation[]): MockFault {
    if (operations.length > 0) {
      const methods = operations.map(({ endpoint }) => endpoint.split(' ', 1)[0]);
      const text = `no such method, the path has ${[...new Set(methods)].join(', ')}`;
      return { kind: 'method', field: '', text };
    }
    const like = hintOf(path, [...new Set(this.#document.operations.map((one) => one.path))]);
    return { kind: 'path', field: '', text: `no such path.${like}` };
  }

  /** A server may always fail, and a document without any error of an operation leaves them all out. */
  #undocumented(endpoint: string, operation: Operation, status: number): JudgedResponse {
    const hasErrors = Object.keys(operation.responses).some((one) => one.startsWith('4'));
    if (status >= 500 || (status >= 400 && !hasErrors)) {
      this.#failures += 1;
      return { subject: `${endpoint} ${status}`, faults: [] };
    }
    const text = `no such status, the document has ${Object.keys(operation.responses).join(', ')}`;
    return { subject: `${endpoint} ${status}`, faults: [{ kind: 'status', field: '', text }] };
  }

  get notes(): string[] {
    const references = this.#document.unknownReferences.join(', ');
    return [
      ...countNote(
        this.#failures,
        'response',
        'with an error that the document does not describe: not judged.',
      ),
      ...countNote(
        this.#unread,
        'response',
        'whose body no code reads: only the status was judged.',
      ),
      ...(references === ''
        ? []
        : [`Not found in the document, and taken as anything: ${references}.`]),
    ];
  }

  whyNone(example: string): string {
    const [operation] = this.#document.operations;
    return `No response is of an operation of the document. The first is of ${example}; the document has ${operation?.endpoint ?? 'no operation'}.`;
  }
}

const nameOf = endpointNames();

function noJson(body: string): MockFault {
  return { kind: 'body', field: '', text: `expected JSON, received ${shown(body)}` };
}

/** `/orders/{id}` → `/orders/:id` */
function named({ path }: Operation): string {
  return path.replaceAll(/\{([^{}]+)\}/g, ':$1');
}

/** A slash at the end of a path does not matter. */
function segmentsIn(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}

function segmentsOf({ path }: Operation): string[] {
  return segmentsIn(path);
}

const parameter = /\{[^{}]*\}/;

/**
 * Returns the base path of an API at an origin: one of its servers, or else the one behind which the most requests fit a path of the
 * document; undefined for the origin of another API, of whose requests most do not.
 */
function baseOf(document: ApiDocument, origin: string, urls: readonly URL[]): string | undefined {
  const found = urls.map(({ pathname }) => basesFor(document, pathname));
  const counts = Map.groupBy(found.flat(), (base) => base);
  const countOf = (base: string): number => counts.get(base)?.length ?? 0;
  const known = document.bases.filter((base) => counts.has(base));
  const possible = known.length > 0 ? known : [...counts.keys()];
  const [best] = possible.toSorted((one, other) => countOf(other) - countOf(one));
  if (document.origins.includes(origin)) return best ?? document.bases[0];
  return best === undefined || countOf(best) * 2 < urls.length ? undefined : best;
}

/** Returns what may stand in front of a path of the document. */
function basesFor({ operations }: ApiDocument, pathname: string): string[] {
  const segments = segmentsIn(pathname);
  const bases = operations.flatMap((operation) => {
    const parts = segmentsOf(operation).slice(1);
    const at = segments.length - parts.length;
    // A path of parameters alone fits each request.
    const isTelling = parts.some((part) => part !== '' && !part.startsWith('{'));
    const isFitting = at > 0 && isTelling && fits(parts, segments.slice(at), parameter);
    return isFitting ? [segments.slice(0, at).join('/')] : [];
  });
  return [...new Set(bases)];
}

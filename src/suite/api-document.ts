import { isObject, valueAt, type JsonObject } from '../engine/lib/json-value.ts';
import { decoded, parsedUrl } from '../engine/lib/api-path.ts';

/** A schema, and the URL of the file that has it, in which its references begin. */
export interface Schema {
  readonly schema: JsonObject;
  readonly file: string;
}

/** Parsed documents by their URLs; the first one is the document, and references lead to the others. */
export type DocumentFiles = ReadonlyMap<string, unknown>;

/** An operation of an OpenAPI document. */
export interface Operation {
  /** Behind a base path of the document, with parameters as in Express: `GET /api/orders/:order_id`. */
  readonly endpoint: string;
  /** Its path in the document: `/orders/{order_id}`. */
  readonly path: string;
  /** By their statuses: `200`, `4XX`, `default`. */
  readonly responses: JsonObject;
  /** All that the document says of it, with the parameters of its path. */
  readonly content: JsonObject;
  readonly file: string;
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'query'];

/** An OpenAPI 3 or Swagger 2 document, and the files to which it refers. */
export class ApiDocument {
  readonly #files: DocumentFiles;
  readonly #unknown = new Set<string>();
  /** The base paths of its servers, of which the first one counts if it is not known which of them a request has. */
  readonly bases: readonly string[];
  /** The origins of its servers, for those that name one. */
  readonly origins: readonly string[];
  /** Its paths behind its base paths, with parameters as in Express: `/api/orders/:order_id`. */
  readonly paths: readonly string[];
  readonly operations: readonly Operation[];

  /** @throws Error for what is no such document */
  constructor(files: DocumentFiles) {
    this.#files = files;
    const [[file, document] = ['', undefined]] = files;
    const paths = valueAt(document, ['paths']);
    if (!isObject(paths)) throw new Error('it has no paths, as an OpenAPI document has');
    const servers = serversOf(document);
    this.bases = [...new Set(servers.map((url) => url.pathname.replace(/\/$/, '')))];
    this.origins = servers.map(({ origin }) => origin).filter((origin) => origin !== noOrigin);
    this.paths = this.bases.flatMap((base) => Object.keys(paths).map((path) => named(base, path)));
    this.operations = Object.entries(paths).flatMap(([path, item]) =>
      this.#operationsOf(path, { schema: isObject(item) ? item : {}, file }),
    );
  }

  #operationsOf(path: string, item: Schema): Operation[] {
    const { schema, file } = this.resolve(item);
    return Object.entries(schema).flatMap(([method, operation]) => {
      if (!methods.includes(method) || !isObject(operation)) return [];
      const { responses } = operation;
      const content = { operation, shared: schema['parameters'] };
      return this.bases.map((base) => ({
        endpoint: `${method.toUpperCase()} ${named(base, path)}`,
        path,
        responses: isObject(responses) ? responses : {},
        content,
        file,
      }));
    });
  }

  /** The references that lead nowhere, so that nothing is known of what they stand for. */
  get unknownReferences(): readonly string[] {
    return [...this.#unknown];
  }

  /**
   * Returns what an operation documents for a status.
   *
   * @returns undefined if it has no such status; without a schema if it documents no body of JSON
   */
  responseOf(
    { responses, file }: Operation,
    status: number,
  ): { readonly body: Schema | undefined } | undefined {
    const range = `${String(status).charAt(0)}XX`;
    const found =
      responses[String(status)] ??
      responses[range] ??
      responses[range.toLowerCase()] ??
      responses['default'];
    if (!isObject(found)) return undefined;
    const response = this.resolve({ schema: found, file });
    const content = valueAt(response.schema, ['content']);
    const [, media] =
      Object.entries(isObject(content) ? content : {}).find(([type]) => isJson(type)) ?? [];
    const schema = valueAt(media ?? response.schema, ['schema']);
    return { body: isObject(schema) ? { schema, file: response.file } : undefined };
  }

  /** Follows references. What cannot be found allows everything. */
  resolve({ schema, file }: Schema): Schema {
    const seen = new Set<JsonObject>();
    let at: Schema = { schema, file };
    while (typeof at.schema['$ref'] === 'string' && !seen.has(at.schema)) {
      seen.add(at.schema);
      at = this.#target(at.schema['$ref'], at.file);
    }
    return at;
  }

  #target(reference: string, from: string): Schema {
    const [name = '', pointer = ''] = reference.split('#');
    const file = referredFile(reference, from);
    const keys = pointer.split('/').slice(1).map(decodedKey);
    const schema = valueAt(this.#files.get(file), keys);
    const isPointer = pointer === '' || pointer.startsWith('/');
    if (isPointer && isObject(schema)) return { schema, file };
    this.#unknown.add(name === '' ? `#${pointer}` : reference);
    return { schema: {}, file };
  }
}

/** Returns the URL of the file to which a reference of another one leads. */
export function referredFile(reference: string, from: string): string {
  const [name = ''] = reference.split('#');
  return name === '' ? from : (parsedUrl(name, from)?.href ?? name);
}

/** `~1users~1{id}` → `/users/{id}` */
function decodedKey(key: string): string {
  return decoded(key).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `/orders/{order_id}` → `/api/orders/:order_id` */
function named(base: string, path: string): string {
  return `${base}${path.replaceAll(/\{([^{}]+)\}/g, ':$1')}`;
}

function isJson(type: string): boolean {
  return /^(application\/(json|\*|[\w.-]+\+json)|\*\/\*)\s*(;|$)/i.test(type);
}

/** The origin of servers that name none. */
const noOrigin = 'http://relative.invalid';

/** Returns the URLs of the servers of a document. */
function serversOf(document: unknown): URL[] {
  const servers = valueAt(document, ['servers']);
  const urls =
    Array.isArray(servers) && servers.length > 0
      ? servers.map(urlOf)
      : [textAt(document, ['basePath'], '/')];
  return urls.map((url) => parsedUrl(url, noOrigin) ?? new URL(noOrigin));
}

/** `https://{region}.shop.test/v1/` with the default values of its variables. */
function urlOf(server: unknown): string {
  return textAt(server, ['url'], '/').replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    textAt(server, ['variables', name, 'default'], name),
  );
}

function textAt(value: unknown, path: readonly string[], otherwise: string): string {
  const text = valueAt(value, path);
  return typeof text === 'string' ? text : otherwise;
}

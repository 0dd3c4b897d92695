import { isObject, mapValues } from '../engine/lib/json-value.ts';
import type { ApiDocument, Schema } from './api-document.ts';
import { mutate, type FieldPath, type Mutation } from './mutations.ts';
import { differencesIn, membersAt } from './schema-shape.ts';

/** Maximum number of items of a list that are compared: others are alike. */
const maxItems = 3;

/** A response that a document describes. */
interface Described {
  readonly schema: Schema;
  /** With short lists. */
  readonly body: unknown;
  /** Number of its differences from the document. */
  readonly differences: number;
}

/** What an OpenAPI document allows of the responses of a suite, each of which is named by its endpoint and status. */
export class ResponseRules {
  readonly #document: ApiDocument;
  readonly #described = new Map<string, Described | undefined>();

  constructor(document: ApiDocument) {
    this.#document = document;
  }

  /** Returns the texts that the enumeration of a field has. */
  membersOf(name: string, body: unknown, path: FieldPath): readonly string[] {
    const described = this.#describe(name, body);
    return described === undefined
      ? []
      : membersAt(described.body, path, described.schema, this.#document);
  }

  /**
   * Returns whether a document allows a response that is wrong in one place as much as it allows the right one; undefined for a
   * response that it does not describe, or that has no such place.
   */
  allows(name: string, body: unknown, mutation: Mutation): boolean | undefined {
    const described = this.#describe(name, body);
    if (described === undefined) return undefined;
    const wrong = mutate(described.body, mutation);
    if (JSON.stringify(wrong) === JSON.stringify(described.body)) return undefined;
    const found = differencesIn(wrong, described.schema, this.#document);
    return found.length <= described.differences;
  }

  /** @param name `GET /api/orders/:order_id 200` */
  #describe(name: string, whole: unknown): Described | undefined {
    if (!this.#described.has(name)) {
      const schema = this.#schemaOf(name);
      const body = shortened(whole);
      const found = schema && differencesIn(body, schema, this.#document);
      this.#described.set(name, schema && { schema, body, differences: found?.length ?? 0 });
    }
    return this.#described.get(name);
  }

  #schemaOf(name: string): Schema | undefined {
    const [method, path, status] = name.split(' ');
    const endpoint = `${method} ${path}`;
    const operation = this.#document.operations.find((one) => one.endpoint === endpoint);
    return operation && this.#document.responseOf(operation, Number(status))?.body;
  }
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, maxItems).map(shortened);
  return isObject(value) ? mapValues(value, shortened) : value;
}

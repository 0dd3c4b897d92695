import { foldCase } from '../engine/lib/fold-case.ts';
import type { ShownFault } from '../engine/faults/fault-kind.ts';

/** The parts of an OpenAPI document that the studio shows. */
export interface OpenApi {
  readonly 'x-backlot-faults': Readonly<
    Record<string, ShownFault & { readonly allowsAfter: boolean; readonly keepsWrites: boolean }>
  >;
  readonly info: { readonly title: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  };
}

export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

type Examples = Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>;

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly examples?: Examples }>>;

export interface OpenApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly examples?: Examples;
}

export interface OpenApiResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** An operation in a list. Parameters of its path are in braces: `/api/orders/{order_id}`. */
export type OperationHead = ReturnType<typeof operationHeads>[number];

/** Lists the operations of a document in its order. */
export function operationHeads(document: OpenApi | undefined) {
  return Object.entries(document?.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, tags }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      summary,
      tag: tags[0] ?? '',
    })),
  );
}

/** Returns the words that an operation is found by. */
export function wordsOf({ id, method, path, summary, tag }: OperationHead): string {
  return `${id} ${method} ${path} ${path.replaceAll(/[{}]/g, '')} ${summary} ${tag}`;
}

/** Whether a text contains every word of another one. */
export function hasWords(all: string, words: string): boolean {
  const known = foldCase(all);
  return foldCase(words)
    .split(/\s+/)
    .every((word) => known.includes(word));
}

import type { ShownFault } from '../faults/fault-kind.ts';

/** The parts of an OpenAPI document that the studio shows. */
export interface OpenApi {
  readonly 'x-backlot-faults': Readonly<
    Record<string, ShownFault & { readonly allowsAfter: boolean }>
  >;
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
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
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-backlot-extension'?: boolean;
}

interface Example {
  readonly summary?: string;
  readonly value?: unknown;
}

interface Content {
  readonly [type: string]: {
    readonly schema?: Schema;
    readonly examples?: Readonly<Record<string, Example>>;
  };
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
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

/** A parameter of the path or the query. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly type: string;
  readonly values: readonly string[];
  /** Its value in the example of the operation; empty if it has none. */
  readonly example: string;
}

/** One field of a body: `shippingAddress.city`. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** The fields of a body, or of one of the forms that it can have. */
export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly Field[];
}

export interface BodyExample {
  readonly title: string;
  readonly text: string;
}

export interface DocumentedResponse {
  readonly status: string;
  readonly description: string;
  readonly example?: string;
  readonly body: readonly FieldGroup[];
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With parameters in braces: `/api/orders/{order_id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly parameters: readonly Parameter[];
  /** Empty without a body. */
  readonly bodies: readonly BodyExample[];
  readonly body: readonly FieldGroup[];
  readonly responses: readonly DocumentedResponse[];
}

/** An operation in a list, without what only its own view shows. */
export type OperationHead = Pick<Operation, 'id' | 'method' | 'path' | 'summary' | 'tag'>;

/** Lists the operations of a document in its order. */
export function operationHeads({ paths }: OpenApi): OperationHead[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, tags }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      summary,
      tag: tags[0] ?? '',
    })),
  );
}

/** Returns the operations that contain every word of the text. */
export function searchOperations<Head extends OperationHead>(
  operations: readonly Head[],
  typed: string,
): Head[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ id, method, path, summary, tag }) => {
    const all = `${id} ${method} ${path} ${path.replaceAll(/[{}]/g, '')} ${summary} ${tag}`;
    const known = all.toLowerCase();
    return words.every((word) => known.includes(word));
  });
}

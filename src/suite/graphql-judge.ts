import type * as GraphQl from 'graphql';
import { isObject, parseJson } from '../engine/lib/json-value.ts';
import { endpointNames } from './endpoint-names.ts';
import { graphQlRequest } from './graphql-operations.ts';
import { faultOf, type JudgedResponse, type MockJudge } from './mocks.ts';
import { eachItem, type FieldPath } from './mutations.ts';
import { countNote } from './recorded-suite.ts';
import { distinct, type Difference } from './schema-shape.ts';
import type { ReceivedResponse } from './trials.ts';

/** The functions of GraphQL.js, which a project installs. */
export type GraphQlLibrary = typeof GraphQl;

/**
 * Judges responses to operations by a schema of GraphQL: executes each operation with its data as the source of all fields, and
 * compares what fields have with their types.
 */
export class GraphQlJudge implements MockJudge {
  readonly #library: GraphQlLibrary;
  readonly #schema: GraphQl.GraphQLSchema;
  /** The types of the fields. Those that the schema has from now on allow everything. */
  readonly #types = new Map<object, GraphQl.GraphQLOutputType>();
  #unread = 0;

  /**
   * @param schema is changed
   * @throws Error for one that is not valid
   */
  constructor(library: GraphQlLibrary, schema: GraphQl.GraphQLSchema) {
    this.#library = library;
    this.#schema = schema;
    library.assertValidSchema(schema);
    const anything = new library.GraphQLScalarType({ name: 'Anything' });
    for (const type of Object.values(schema.getTypeMap())) {
      if (!library.isObjectType(type) || type.name.startsWith('__')) continue;
      for (const field of Object.values(type.getFields())) {
        this.#types.set(field, field.type);
        field.type = this.#lenient(field.type, anything);
      }
    }
  }

  /** An error of a field would end the execution of others. */
  #lenient(
    type: GraphQl.GraphQLOutputType,
    anything: GraphQl.GraphQLScalarType,
  ): GraphQl.GraphQLOutputType {
    const { GraphQLList, isLeafType, isListType, isNonNullType } = this.#library;
    if (isNonNullType(type)) return this.#lenient(type.ofType, anything);
    if (isListType(type)) return new GraphQLList(this.#lenient(type.ofType, anything));
    return isLeafType(type) ? anything : type;
  }

  judge(response: ReceivedResponse): JudgedResponse | undefined {
    const { method, status, sent = '', body = '' } = response;
    const url = new URL(response.url);
    const request = graphQlRequest(url, sent);
    if (request === undefined) return undefined;
    const names = [...new Set(request.operations)].join(', ');
    const subject = `${nameOf(method, url.pathname)} ${names} ${status}`;
    const asked = [parseJson(sent) ?? Object.fromEntries(url.searchParams)].flat();
    const results = [parseJson(body)].flat();
    const start = request.isBatch ? [eachItem] : [];
    const found = asked.flatMap((one, at) => this.#differencesIn(one, results[at], status, start));
    return { subject, faults: distinct(found).map((one) => faultOf(one)) };
  }

  #differencesIn(
    request: unknown,
    result: unknown,
    status: number,
    start: FieldPath,
  ): Difference[] {
    const { data, errors }: JsonSource = isObject(result) ? result : {};
    if (!isObject(data) && (status >= 400 || errors !== undefined)) return [];
    const whole = [...start, 'data'];
    if (!isObject(data))
      return [{ kind: 'missing', path: whole, expected: 'an object', received: data }];
    const found: Difference[] = [];
    const asked = new Map<object, { readonly path: FieldPath; readonly keys: Set<string> }>();
    const fieldResolver: GraphQl.GraphQLFieldResolver<JsonSource, unknown> = (
      source,
      ...others
    ) => {
      if (!isPlainObject(source)) return undefined;
      const [, , { path, parentType, fieldName }] = others;
      const at = [...whole, ...this.#library.responsePathAsArray(path).map(pathPart)];
      const key = String(path.key);
      const known = asked.get(source) ?? { path: at.slice(0, -1), keys: new Set() };
      asked.set(source, { ...known, keys: known.keys.add(key) });
      const type = this.#types.get(parentType.getFields()[fieldName]!);
      found.push(...this.#inValue(source[key], type, at));
      return source[key];
    };
    if (!this.#execute(request, data, fieldResolver)) this.#unread += 1;
    for (const [source, { path, keys }] of asked)
      for (const [key, received] of Object.entries(source))
        if (!keys.has(key) && key !== '__typename')
          found.push({ kind: 'unknown', path: [...path, key], expected: '', received });
    return found;
  }

  /** @returns false for a request that cannot be executed: one without the text of its operation, for example */
  #execute(
    request: unknown,
    rootValue: object,
    fieldResolver: GraphQl.GraphQLFieldResolver<JsonSource, unknown>,
  ): boolean {
    const { query, operationName, variables } = isObject(request) ? request : {};
    const values = typeof variables === 'string' ? parseJson(variables) : variables;
    const { execute, parse } = this.#library;
    try {
      const result = execute({
        schema: this.#schema,
        document: parse(String(query)),
        operationName: typeof operationName === 'string' ? operationName : undefined,
        variableValues: isObject(values) ? values : {},
        rootValue,
        fieldResolver,
        typeResolver: (value: JsonSource, _context, _info, type) => {
          const [only, ...others] = this.#schema.getPossibleTypes(type);
          return others.length === 0 ? only?.name : String(value['__typename']);
        },
      });
      return 'data' in result;
    } catch {
      return false;
    }
  }

  *#inValue(
    value: unknown,
    type: GraphQl.GraphQLOutputType | undefined,
    path: FieldPath,
  ): Generator<Difference> {
    const { isEnumType, isListType, isNonNullType } = this.#library;
    const wrong = { kind: 'type', path, expected: String(type), received: value } as const;
    if (value === undefined) yield { ...wrong, kind: 'missing' };
    else if (isNonNullType(type)) {
      if (value === null) yield wrong;
      else yield* this.#inValue(value, type.ofType, path);
    } else if (value === null || type === undefined) return;
    else if (isListType(type)) {
      if (!Array.isArray(value)) yield wrong;
      else for (const item of value) yield* this.#inValue(item, type.ofType, [...path, eachItem]);
    } else if (isEnumType(type)) {
      const names = type.getValues().map(({ name }) => JSON.stringify(name));
      if (!names.includes(JSON.stringify(value)))
        yield { ...wrong, kind: 'member', expected: `one of ${names.join(', ')}` };
    } else {
      const is = this.#library.isScalarType(type) ? scalars[type.name] : isPlainObject;
      if (is?.(value) === false) yield wrong;
    }
  }

  get notes(): string[] {
    return countNote(
      this.#unread,
      'operation',
      'whose text is not sent or cannot be executed: not judged.',
    );
  }

  whyNone(example: string): string {
    return `No response is of an operation of GraphQL. The first is of ${example}.`;
  }
}

type JsonSource = Readonly<Record<string, unknown>>;

const nameOf = endpointNames();

function pathPart(key: string | number): string {
  return typeof key === 'number' ? eachItem : key;
}

/** Whether a value is one of a scalar of the specification. Those of a project may be anything. */
const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  Int: Number.isInteger,
  Float: (value) => typeof value === 'number',
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
};

function isPlainObject(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value);
}

import type { typedContract } from './shop/resources/index.ts';
import type { Method } from './engine/rest/endpoint.ts';

type Row = (typeof typedContract)[number];

type NameOf<One> = One extends {
  method: infer Verb extends Method;
  path: infer Path extends string;
}
  ? `${Verb} ${Path}` | `${Verb} ${OtherForm<Path>}`
  : never;

/** The same path without its last slash, or with one. The server responds to both. */
type OtherForm<Path extends string> = Path extends `${infer Start}/` ? Start : `${Path}/`;

/** The rows by name. Steps have a name together. */
type Rows = { readonly [One in Row as NameOf<One>]: One };

/** The name of an endpoint, with or without a last slash: `'GET /api/users/:user_id'`. */
export type EndpointName = keyof Rows;

type FormOf<Form> = Form extends { parse(...sent: never): { readonly values: infer Values } }
  ? Values
  : undefined;

/** The parameters of a path: `{ user_id: 7 }`. */
export type PathOf<Name extends EndpointName> = Rows[Name] extends {
  path: infer Path extends string;
}
  ? Readonly<Record<ParameterIn<Path>, string | number>>
  : never;

type ParameterIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The nested parameters of the query; undefined if there are none. */
export type QueryOf<Name extends EndpointName> = Rows[Name] extends infer One
  ? One extends { query?: infer Form }
    ? Accepted<Known<FormOf<NonNullable<Form>>>>
    : never
  : never;

/** A query without the parts that accept no name, such as the filters of a list that has none. */
type Accepted<Query> = Query extends object
  ? {
      [
        Key in keyof Query as NonNullable<Query[Key]> extends Record<string, never> ? never : Key
      ]: Query[Key];
    }
  : Query;

/** The parameters of the body: a union, if an endpoint has several steps. `{}` is no parameters. */
export type BodyOf<Name extends EndpointName> =
  | FormsOf<Rows[Name]>
  | EmptyBody<Rows[Name], NamesOf<FormsOf<Rows[Name]>>>;

type FormsOf<One> = One extends { body?: infer Form } ? Known<FormOf<NonNullable<Form>>> : never;

type NamesOf<Body> = Body extends object ? keyof Body : never;

/** A body without parameters. If another step has some, the compiler names those that are wrong. */
type EmptyBody<One, Names extends PropertyKey> = One extends {
  body?: infer Form;
  method: infer Verb;
}
  ? unknown extends FormOf<NonNullable<Form>>
    ? Verb extends 'GET' | 'DELETE'
      ? never
      : [Names] extends [never]
        ? Record<string, never>
        : { readonly [Name in Names]?: undefined }
    : never
  : never;

/** The body of a successful response; undefined if there is none. */
export type AnswerOf<Name extends EndpointName> = Rows[Name] extends infer One
  ? One extends { answer: { _zod: { output: infer Answer } } | undefined }
    ? Known<Answer>
    : undefined
  : never;

type Known<Value> = unknown extends Value ? undefined : Value;

/** The parts of a request to an endpoint. */
export type SentTo<Name extends EndpointName> = {
  /** Required if the path has parameters. */
  readonly path?: PathOf<Name>;
  readonly query?: QueryOf<Name>;
  readonly body?: BodyOf<Name>;
} & ([keyof PathOf<Name>] extends [never] ? unknown : { readonly path: PathOf<Name> });

/** A function that calls an endpoint by its name, for a client of your own: `const call: Call = async (name, sent) => …`. */
export type Call = <Name extends EndpointName>(
  name: Name,
  sent: SentTo<Name>,
) => Promise<AnswerOf<Name>>;

/** The body of an error response. */
export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  /** The issues of each parameter: `body.errors?.children?.['email']?.errors`. */
  readonly errors?: ParameterErrors;
}

/** The issues of a form, or of one of its parameters, and of those below it. Of a valid one, the response has `[]`. */
export interface ParameterErrors {
  readonly errors?: readonly string[];
  readonly children?: Readonly<Record<string, ParameterErrors>>;
}

/**
 * Returns the path of an endpoint with its parameters filled in, and its query string:
 * `pathOf('GET /api/users/:user_id', { user_id: 7 })`, `pathOf('GET /api/orders/', {}, { sorting: { total: 'desc' } })`.
 */
export function pathOf<Name extends EndpointName>(
  name: Name,
  parameters: PathOf<Name> | undefined,
  query?: QueryOf<Name>,
): string {
  const [, path = ''] = name.split(' ');
  const values: Readonly<Record<string, string | number>> = parameters ?? {};
  const filled = path.replaceAll(/:(\w+)/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new TypeError(`${name} requires the parameter ${key}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(bracketed('', query)).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** Returns nested parameters under their names in bracket notation, without those that are undefined. */
function bracketed(name: string, value: unknown): [name: string, value: string][] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [[name, `${value as string | number}`]];
  return Object.entries(value).flatMap(([key, part]) =>
    bracketed(name === '' ? key : `${name}[${key}]`, part),
  );
}

import * as z from 'zod';
import { jsonLimits } from '../lib/json-limits.ts';
import type { FieldIssue, ProblemKind } from '../lib/problem.ts';
import type { Form } from './form.ts';
import type { ApiRequest, LongPoll, RequestTarget } from './message.ts';

/** Settings of requests: units, parameters and limits. */
export const RestSettings = z.strictObject({
  requestMoney: z
    .enum(['minor', 'major'])
    .default('minor')
    .describe(
      'Unit of `unitPrice` and `price` in requests: `minor` leaves them unchanged, `major` multiplies them by 100',
    ),
  unknownParameters: z
    .enum(['reject', 'ignore'])
    .default('reject')
    .describe('Unknown parameters: `reject` responds with 400, `ignore` ignores them'),
  maxLimit: z.int().min(1).default(1000).describe('Maximum page `limit`; larger values are capped'),
  maxBodyBytes: z
    .int()
    .min(0)
    .default(jsonLimits.request.bytes)
    .describe('Maximum request body in bytes; larger bodies are rejected with 413'),
});
export type RestSettings = z.output<typeof RestSettings>;

export type { RequestTarget } from './message.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** The parameter names of a path: `'order_id' | 'item_id'`. */
export type PathParameter<Path extends string> =
  Path extends `${string}:${infer Name}/${infer Rest}`
    ? Name | PathParameter<Rest>
    : Path extends `${string}:${infer Name}`
      ? Name
      : never;

/** The parameters of a path, as text. */
export type PathParameters<Path extends string> = Readonly<Record<PathParameter<Path>, string>>;

/** The argument of `handle` and `check`: the context of the host and the parsed parts of the request. */
export type Call<Context, Path extends string, Query, Body, Subject> = Context & {
  readonly params: PathParameters<Path>;
  readonly query: Query;
  readonly body: Body;
  readonly subject: Subject;
  readonly target: RequestTarget;
  /** The headers of the request, with names in lower case. */
  readonly headers: ApiRequest['headers'];
  /** The parameters of the body, before validation. */
  readonly sent: Readonly<Record<string, unknown>>;
};

/** The valid parameters of a body. Any of them may be missing, in nested blocks too. */
export type PartiallyValid<Body> = {
  readonly [Name in keyof Body]?: PartiallyValidPart<Body[Name]>;
};
type PartiallyValidPart<Part> = Part extends readonly unknown[]
  ? Part
  : Part extends object
    ? Partial<Part>
    : Part;

/** A value whose lists and objects belong to another, which may go on using them. */
export type Immutable<Value> = Value extends object
  ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
  : Value;

/** An example request. It succeeds on the default scenario. */
export interface Example {
  readonly url: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Requests to send before it. */
  readonly before?: readonly ({ readonly method: Method } & Omit<Example, 'before'>)[];
}

/** The body of errors. A Problem with a body of its own has that one. */
export interface ErrorBody {
  readonly schema: z.ZodType;
  /** Returns the body of an error with this message. */
  of(message: string): object;
}

/** The part of an endpoint that does not depend on the types of its parameters. */
interface EndpointFacts {
  /** The name of the operation in documents (default: made from method and path, as in `operationIdOf`). */
  readonly operationId?: string;
  readonly summary: string;
  /** Marks a read-only endpoint that the specification lacks. */
  readonly isExtra?: boolean;
  /** Marks an endpoint that an extension of the API added. */
  readonly isExtension?: true;
  /** The step of the checkout that this endpoint submits. */
  readonly step?: string;
  /** Number of requests that one counts as for the rate limit of a server (default: 1). */
  readonly cost?: number;
  readonly chosenBy?: readonly string[];
  readonly status: 200 | 201 | 204 | 303;
  /** Response headers. If their content type is not JSON, the body is sent as text. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Content type of a result that is text, if other results are JSON. */
  readonly textType?: string;
  readonly errors: readonly ProblemKind[];
  /** The body of errors, if another standard defines it: RFC 6749 for OAuth. */
  readonly errorBody?: ErrorBody;
  readonly example: Example;
  /** When `statusFor` returns 503, for the document. */
  readonly unavailable?: string;
}

/**
 * One endpoint: routing, validation, responses, MSW handlers and documents follow from it.
 *
 * If several rows share a method and a path (the steps of a checkout), `chosenBy` names the body parameters that choose
 * a row. The row without `chosenBy` serves the other requests.
 */
export interface Endpoint<
  Context = never,
  Path extends string = string,
  Query = unknown,
  Body = unknown,
  Subject = unknown,
  Answer = unknown,
  Verb extends Method = Method,
> extends EndpointFacts {
  readonly method: Verb;
  readonly path: Path;
  readonly query?: Form<Query>;
  readonly body?: Form<Body>;
  readonly answer: z.ZodType<Answer> | undefined;
  /** Finds the record that the path names. Runs, and may throw, before any parameter is validated. */
  subject?(call: Context & { readonly params: PathParameters<Path> }): Subject;
  /** Validates parameters against the data: unknown ids, duplicate keys. `body` lacks the invalid parameters. */
  check?(
    call: Call<Context, Path, Query, PartiallyValid<Body>, Subject>,
  ): readonly (FieldIssue | undefined)[];
  /** Returns the content of the response, or a long poll if it may change while the client waits. */
  handle(
    call: Call<Context, Path, Query, Body, Subject>,
  ): NoInfer<Answer | Immutable<Answer>> | LongPoll<NoInfer<Answer | Immutable<Answer>>>;
  /** Returns a status that replaces `status`, for example if a payment was declined. What was written is kept. */
  statusFor?(call: Call<Context, Path, Query, Body, Subject>): number | undefined;
  /** Returns the URL of the record that was created, for the `Location` header. */
  location?(value: NoInfer<Answer>, call: Call<Context, Path, Query, Body, Subject>): string;
}

/** An endpoint without its own types, as lists, routers and documents use it. */
export interface EndpointRow<Context> extends EndpointFacts {
  readonly method: Method;
  readonly path: string;
  /** The parameters of the path that are UUIDs. */
  readonly uuids?: readonly string[];
  /** Names of more parameters and fields whose values are secret than those that are recognized. */
  readonly secret?: ReadonlySet<string>;
  readonly query?: Form<unknown>;
  readonly body?: Form<unknown>;
  readonly answer: z.ZodType | undefined;
  subject?(call: Context & { readonly params: Readonly<Record<string, string>> }): unknown;
  check?(call: AnyCall<Context>): readonly (FieldIssue | undefined)[];
  handle(call: AnyCall<Context>): unknown;
  statusFor?(call: AnyCall<Context>): number | undefined;
  location?(value: unknown, call: AnyCall<Context>): string;
}

export type AnyCall<Context> = Call<Context, `:${string}`, unknown, unknown, unknown>;

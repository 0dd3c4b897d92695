import type * as z from 'zod';
import type { FieldProblem, ProblemKind } from '../lib/problem.ts';
import type { Form } from './form.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The names behind the colons of a path: `'order_id' | 'item_id'`. */
export type PathParameter<Path extends string> =
  Path extends `${string}:${infer Name}/${infer Rest}`
    ? Name | PathParameter<Rest>
    : Path extends `${string}:${infer Name}`
      ? Name
      : never;

/** The parameters of a path, as sent: a record's id is still text here. */
export type PathParameters<Path extends string> = Readonly<Record<PathParameter<Path>, string>>;

/** What `handle` and `check` are given: the host's context and the request's parts, parsed. */
export type Call<Context, Path extends string, Query, Body, Subject> = Context & {
  readonly params: PathParameters<Path>;
  readonly query: Query;
  readonly body: Body;
  readonly subject: Subject;
  readonly target: RequestTarget;
};

/** What of a body has no problem of form: a parameter may be missing, and so may one of a block. */
export type PartiallyValid<Body> = {
  readonly [Name in keyof Body]?: PartiallyValidPart<Body[Name]>;
};
type PartiallyValidPart<Part> = Part extends readonly unknown[]
  ? Part
  : Part extends object
    ? Partial<Part>
    : Part;

/** Where the request went: `/api/users/` and `page=2`. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/** A request that shows how the endpoint is used; it works on the default scenario. */
export interface Example {
  readonly url: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * One endpoint, whole: router, validation, answers, MSW handlers and documents follow from it.
 *
 * Where several rows share a method and a path (the steps of a checkout), `chosenBy` names the body parameters that
 * choose each; the row without it takes the rest.
 */
export interface Endpoint<
  Context = never,
  Path extends string = string,
  Query = unknown,
  Body = unknown,
  Subject = unknown,
  Answer = unknown,
  Verb extends Method = Method,
> {
  readonly method: Verb;
  readonly path: Path;
  readonly summary: string;
  /** It is not in the specification: a read-only extra, so that links to it can be followed. */
  readonly isExtra?: boolean;
  /** What it does in a course of several: a step of the checkout. */
  readonly step?: string;
  readonly chosenBy?: readonly string[];
  readonly query?: Form<Query>;
  readonly body?: Form<Body>;
  readonly status: 200 | 201 | 204;
  /** Headers of the answer. With another content type than JSON's the answer is text, sent as it is. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: z.ZodType<Answer> | undefined;
  readonly errors: readonly ProblemKind[];
  /** What `refused` looks like, where that is another standard's matter. */
  readonly errorBody?: z.ZodType;
  readonly example: Example;
  /** Finds the record that the path names and refuses early, before any parameter is looked at. */
  subject?(call: Context & { readonly params: PathParameters<Path> }): Subject;
  /** What only the shop knows of the parameters: unknown ids, taken keys. Fields with problems of form are left out. */
  check?(
    call: Call<Context, Path, Query, PartiallyValid<Body>, Subject>,
  ): readonly (FieldProblem | undefined)[];
  handle(call: Call<Context, Path, Query, Body, Subject>): NoInfer<Answer>;
  /** Another status than `status`, where what happened asks for it. Nothing is taken back then. */
  statusFor?(call: Call<Context, Path, Query, Body, Subject>): number | undefined;
  /** The href of what a 201 made, for the header `Location`. */
  location?(made: NoInfer<Answer>, call: Call<Context, Path, Query, Body, Subject>): string;
}

/** An endpoint whose own types no longer matter: what lists, routers and documents hold. */
export interface EndpointRow<Context> {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  /** It is not in the specification: a read-only extra, so that links to it can be followed. */
  readonly isExtra?: boolean;
  /** What it does in a course of several: a step of the checkout. */
  readonly step?: string;
  readonly chosenBy?: readonly string[];
  readonly query?: Form<unknown>;
  readonly body?: Form<unknown>;
  readonly status: 200 | 201 | 204;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: z.ZodType | undefined;
  readonly errors: readonly ProblemKind[];
  readonly errorBody?: z.ZodType;
  readonly example: Example;
  subject?(call: Context & { readonly params: Readonly<Record<string, string>> }): unknown;
  check?(call: AnyCall<Context>): readonly (FieldProblem | undefined)[];
  handle(call: AnyCall<Context>): unknown;
  statusFor?(call: AnyCall<Context>): number | undefined;
  location?(made: unknown, call: AnyCall<Context>): string;
}

export type AnyCall<Context> = Context & {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly subject: unknown;
  readonly target: RequestTarget;
};

import type * as z from 'zod';
import type { AnyDatabase } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import type { Clock } from '../lib/virtual-clock.ts';
import type { FieldIssue } from '../lib/problem.ts';
import type { EngineSettings, EngineShop } from '../definition/api.ts';
import type { Field } from './field.ts';
import type { Fields, StoredName } from './field-set.ts';
import type { CheckResult } from './user-check.ts';

type ValueOf<One> = One extends Field<infer Value> ? Value : never;
type IsStored<One, Optional> = One extends { compute(record: never): unknown }
  ? false
  : One extends Field<unknown, infer Is>
    ? Is extends Optional
      ? true
      : false
    : false;

/** The values of fields in a record. */
export type RecordFields<All extends Fields> = {
  readonly [
    Name in keyof All as IsStored<All[Name], false> extends true
      ? StoredName<Name, All[Name]>
      : never
  ]: ValueOf<All[Name]>;
} & {
  readonly [
    Name in keyof All as IsStored<All[Name], true> extends true
      ? StoredName<Name, All[Name]>
      : never
  ]?: ValueOf<All[Name]>;
};

/** The values of fields in responses. */
export type ShownFields<All extends Fields> = RecordFields<All> & {
  readonly [
    Name in keyof All as All[Name] extends { compute(record: never): unknown }
      ? StoredName<Name, All[Name]>
      : never
  ]: ValueOf<All[Name]>;
};

/** The view of a record of a resource. */
export type ViewOf<All extends Fields> = RecordOf<All> &
  ShownFields<All> & {
    readonly _links: Readonly<Record<string, { readonly href: string } | undefined>>;
  };

/** A record of a resource. */
export type RecordOf<All extends Fields> = Row & {
  readonly created_at: string;
  readonly updated_at: string;
} & RecordFields<All>;

/** The parameters of a request without a form. */
type NoFields = { readonly [Name in never]: Field };

/** The parameters of a request. */
export type BodyOf<All extends Fields> = {
  readonly [Name in keyof All as IsStored<All[Name], false> extends true ? Name : never]: ValueOf<
    All[Name]
  >;
} & {
  readonly [Name in keyof All as IsStored<All[Name], true> extends true ? Name : never]?:
    | ValueOf<All[Name]>
    | undefined;
};

/** The context of a definition's code, which runs inside the request: if it throws, the request's writes are undone. */
export type Work<Db = AnyDatabase, Operations = unknown> = WorkOn<Db> & Operations;

interface WorkOn<Db> {
  /** The tables: `db.users.get(3)`, `db.users.change(3, { … })`. */
  readonly db: Db;
  readonly clock: Pick<Clock, 'now'>;
  readonly settings: EngineSettings;
  /** Returns an issue of a parameter: for `check` to return, or for a handler in `new Problem('invalid', …, { fields })`. */
  issue(parameter: string, message: string): FieldIssue;
}

/** A request of an API that is not known: its record has the name that the API has for it. */
export type NamedCall = Work & {
  readonly body: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string>>;
} & Readonly<Record<string, unknown>>;

/** A request before it is decoded. */
export interface AuthCall<Db = AnyDatabase> extends WorkOn<Db> {
  readonly request: {
    readonly method: string;
    /** Without the query: `/api/v1/users/1`. */
    readonly path: string;
    /** By their names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** A request to an endpoint of a definition. */
export type EndpointCall<Record_, Body, Db, Operations> = CallOf<Record_, Body, Db> & Operations;

interface CallOf<Record_, Body, Db> extends WorkOn<Db> {
  /** The record that the path names; undefined if it names none. */
  readonly record: Record_;
  readonly body: BodyOf<Body extends Fields ? Body : NoFields>;
  readonly params: Readonly<Record<string, string>>;
}

/** An endpoint in addition to those that every resource has. */
export interface EndpointOptions<
  Record_ = unknown,
  Body = Fields,
  Db = AnyDatabase,
  Operations = unknown,
> {
  readonly summary: string;
  readonly body?: Body & Fields;
  /** Status of a success (default: 200; 204 without an answer). */
  readonly status?: 200 | 201 | 204;
  /** The view of the record that `handle` returns: `Order` (default: none). */
  readonly answer?: string;
  /** Parameters of the example in documents (default: those of the fields). */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Performs the request, and returns the record to show. @throws Problem */
  handle(call: EndpointCall<Record_, Body, Db, Operations>): unknown;
}

/** A resource: a table with endpoints to list, read, create, update and delete its records. */
export interface ResourceOptions<
  All extends Fields = Fields,
  Bodies = Readonly<Record<string, Fields>>,
  Db = AnyDatabase,
  Operations = unknown,
> {
  /** The name of one record in messages and documents: `wishlist`. */
  readonly singular: string;
  readonly description?: string;
  readonly fields: All;
  /** Parameters that no two records share in combination, by the parameter that the issue names. */
  readonly unique?: { readonly [Name in keyof All & string]?: readonly (keyof All & string)[] };
  /** Other endpoints, by method and path below that of the resource: `POST /:id/publish`. */
  readonly endpoints?: {
    readonly [Route in keyof Bodies]: EndpointOptions<
      Route extends `${string} /:id${string}` ? RecordOf<All> : undefined,
      Bodies[Route],
      Db,
      Operations
    >;
  };
}

/** A request of a step. */
export type StepCall<Order, Body, Db, Operations> = Omit<
  EndpointCall<Order, Body, Db, Operations>,
  'record'
> & { readonly order: Order };

/** A step of the checkout. */
export interface StepOptions<Call = NamedCall, Body = Fields> {
  /** The step that it follows: `shipping`. */
  readonly after: string;
  /** Whether an order may go past it (default: false). */
  readonly optional?: boolean;
  readonly summary?: string;
  /** Parameters of its request, at least one. They are not stored. */
  readonly body: Body & Fields;
  /** Parameters of the example in documents (default: those of the fields). */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Returns the issues of a request, or facts, as that of a rule. */
  check?(call: Call): CheckResult;
  /**
   * Performs the step, with or without a request: its `params` are empty. Charges of an earlier attempt are removed before.
   *
   * @throws Problem
   */
  submit(
    call: Call & {
      /** Adds a charge to the order, or a discount. @param amount minor units */
      charge(order: Pick<Row, 'id'>, description: string, amount: number): void;
    },
  ): void;
}

/** A rule that requests of a step, or to an endpoint, have to pass. */
export interface Rule<Call = NamedCall, Body = Fields> {
  /** Parameters in addition to those of the endpoint. They are not stored. */
  readonly body?: Body & Fields;
  /**
   * Returns the issues of a request, or facts, such as `{ wanted: 'up to 500.00', actual: '612.00', met: false }`, which
   * refuse the request as a whole. It must depend on nothing but the call.
   */
  check?(call: Call): CheckResult;
}

/** The views of the records of a table. */
export interface ResourceViews {
  /** The views, by their names in documents. */
  readonly views: Readonly<Record<string, z.ZodType>>;
  /** Views in the views of other records that have the ids of these records, too. */
  readonly parts?: readonly z.ZodType[];
  /** Parameters of requests that are ids of these records: `user`. */
  readonly parameters?: readonly string[];
  /** Shows a record by the first of them. */
  show(shop: EngineShop, record: Row): unknown;
}

/** The tables that the endpoints of an API show, by key. */
export type Resources = Readonly<Record<string, ResourceViews>>;

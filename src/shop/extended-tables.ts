import type * as z from 'zod';
import type { AddedTypes, SetUp } from '../engine/definition/api.ts';
import type { Fields } from '../engine/extend/field-set.ts';
import type { Snake } from '../engine/lib/names.ts';
import type { GivenName } from '../engine/extend/given-name.ts';
import type { FaultOptions } from '../engine/extend/user-fault.ts';
import type {
  BodyOf,
  RecordFields,
  RecordOf,
  ShownFields,
  ViewOf,
} from '../engine/extend/resource.ts';
import type { definitions } from './models/database.ts';
import type { TableDefinition } from '../engine/store/table-definition.ts';

/** The part of an extension that adds nothing of a kind. */
export type NoneAdded = { readonly [Key in never]: Fields };

/** The types of an API that nothing was added to. */
export interface NoTypes {
  readonly tables: NoneAdded;
  readonly setUps: NoneAdded;
  readonly uuids: NoneAdded;
  readonly steps: NoneAdded;
  readonly kinds: unknown;
  readonly rules: NoneAdded;
}

/** The types of what was added to an API before. */
export type TypesOf<Before> = Before extends AddedTypes ? Before : NoTypes;

/** The fields of tables of the store, and of those of an extension, by key. */
export type AddedFields<Before = unknown> = {
  readonly [Key in keyof Definitions | keyof TypesOf<Before>['tables']]?: Fields;
};
type Definitions = typeof definitions;

/** The keys of the tables that an extension adds to. */
type AddedTo<Added, Step> = (keyof Added & string) | ([Step] extends [never] ? never : 'orders');

/** The types of an API with an extension. */
export interface ExtendedTypes<
  Before extends AddedTypes,
  Added,
  Own extends Readonly<Record<string, { readonly fields: Fields }>>,
  Step = never,
  Kinds = NoneAdded,
  Ids = NoneAdded,
> extends AddedTypes {
  readonly tables: Omit<Before['tables'], AddedTo<Added, Step>> & {
    readonly [Key in AddedTo<Added, Step>]: WithFields<
      Key extends keyof Before['tables']
        ? Before['tables'][Key]
        : Key extends keyof Definitions
          ? Definitions[Key]
          : never,
      Key extends keyof Added ? RecordFields<FieldsAt<Added, Key>> : unknown,
      Key extends 'orders' ? Step : never
    >;
  } & {
    readonly [Key in keyof Own]: TableDefinition<z.ZodType<RecordOf<Own[Key]['fields']>>>;
  };
  readonly setUps: Omit<Before['setUps'], keyof Added> & {
    readonly [Key in keyof Added]: ExtendedSetUp<Before['setUps'], Key, FieldsAt<Added, Key>>;
  } & { readonly [Key in keyof Own]: SetUpOf<Own[Key]> };
  readonly uuids: Before['uuids'] & UuidNames<Ids, Own>;
  readonly steps: Before['steps'] & Named<Step>;
  readonly kinds: Before['kinds'] & ([keyof Kinds] extends [never] ? unknown : KindsOf<Kinds>);
  readonly rules: Before['rules'] & Named<RouteOf<Own> | Step>;
}

type Named<Name> = Readonly<Record<Name & string, true>>;

type FieldsAt<Added, Key extends keyof Added> = NonNullable<Added[Key]> & Fields;

type Kebab<Name> = Name extends string ? Snake<Name, '-'> : never;

/** The endpoints of resources: `POST /api/wishlists/:id/publish`. */
export type RouteOf<Own> = {
  [Key in keyof Own]:
    | `${'GET' | 'POST'} /api/${Kebab<Key>}/`
    | `${'GET' | 'PUT' | 'PATCH' | 'DELETE'} /api/${Kebab<Key>}/:id`
    | (Own[Key] extends { readonly endpoints?: infer Endpoints }
        ? OwnRoute<keyof NonNullable<Endpoints>, Kebab<Key>>
        : never);
}[keyof Own];

/** The endpoints of a resource that name a record. */
export type OwnRecordRoute<Key> = `${string} /api/${Kebab<Key>}/:id${string}`;

/** Of endpoints that are not known yet, any: an editor completes rules while they are typed. */
type OwnRoute<Route, Path extends string> = [Route] extends [never]
  ? `${string} /api/${Path}/${string}`
  : Route extends `${infer Verb} ${infer Below}`
    ? `${Verb} /api/${Path}${Below}`
    : never;

/** The fields of kinds of fault, with their values. */
type KindsOf<Kinds> = {
  readonly [Name in keyof Kinds]?: Kinds[Name] extends FaultOptions<infer Value> ? Value : never;
};

/** The function of `given` that sets up records of a resource. */
type SetUpOf<One extends { readonly fields: Fields }> = One extends {
  readonly singular: infer Singular extends string;
}
  ? SetUp<GivenName<Singular>, Partial<BodyOf<One['fields']>>, ViewOf<One['fields']>>
  : unknown;

/** The functions of `given` that set up records of the store. */
interface StoreSetUps {
  readonly users: 'aUser';
  readonly products: 'aProduct';
  readonly stockLocations: 'aStockLocation';
  readonly channels: 'aChannel';
  readonly coupons: 'aCoupon';
}

/** The function of `given` for a table with more fields. */
type ExtendedSetUp<Before, Key, All extends Fields> = Key extends keyof Before
  ? Before[Key] extends SetUp<infer Name, infer Values, infer View>
    ? SetUp<Name, Values & Partial<BodyOf<All>>, View & ShownFields<All>>
    : unknown
  : Key extends keyof StoreSetUps
    ? SetUp<StoreSetUps[Key], Partial<BodyOf<All>>, ShownFields<All>>
    : unknown;

/** The functions of `given` that set up records with UUIDs, by table. */
type UuidNames<Ids, Own> = {
  readonly [Key in keyof Ids]: Key extends keyof StoreSetUps
    ? StoreSetUps[Key]
    : Key extends 'orders'
      ? 'anOrder'
      : Key extends keyof Own
        ? Own[Key] extends { readonly singular: infer Singular extends string }
          ? GivenName<Singular>
          : never
        : never;
};

/** A table whose records have more fields, and are in the states of added steps. */
type WithFields<Table, More, Step> =
  Table extends TableDefinition<infer Schema, infer IndexName, infer UniqueName>
    ? TableDefinition<z.ZodType<WithStates<z.output<Schema>, Step> & More>, IndexName, UniqueName>
    : never;

type WithStates<Record_, Step> = [Step] extends [never]
  ? Record_
  : Record_ extends { readonly checkout_state: infer State }
    ? Omit<Record_, 'checkout_state'> & { readonly checkout_state: State | Step }
    : Record_;

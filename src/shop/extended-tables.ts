import type * as z from 'zod';
import type { AddedFaults, AddedSteps, SetUpTable, UuidTables } from '../engine/definition/api.ts';
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

type NoFields = { readonly [Name in never]: Fields[string] };

/** The part of an extension that adds nothing of a kind. */
export type NoneAdded = { readonly [Key in never]: Fields };

/** The fields of tables of the store, and of those of an extension, by key. */
export type AddedFields<Before = unknown> = {
  readonly [Key in keyof typeof definitions | keyof Before]?: Fields;
};
type Definitions = typeof definitions;

/** The keys of the tables that an extension adds to. */
type AddedTo<Added, Step> = (keyof Added & string) | ([Step] extends [never] ? never : 'orders');

/** The tables of an extended API. */
export type TablesOf<
  Before,
  Added extends AddedFields<Before>,
  Own extends Readonly<Record<string, { readonly fields: Fields }>>,
  Step = never,
  Kinds = NoneAdded,
  Ids = NoneAdded,
> = Omit<Before, AddedTo<Added, Step>> &
  ([keyof Kinds] extends [never] ? unknown : KindsOf<Kinds>) &
  ([keyof Ids] extends [never]
    ? unknown
    : Readonly<Record<'faultRules', UuidTables<UuidNames<Ids, Own>>>>) &
  ([keyof Own | Step] extends [never]
    ? unknown
    : Readonly<Record<'faultRules', AddedRules<RouteOf<Own> | Step>>>) & {
    readonly [Key in AddedTo<Added, Step>]: WithFields<
      Key extends keyof Before
        ? Before[Key]
        : Key extends keyof Definitions
          ? Definitions[Key]
          : never,
      Key extends keyof Added ? RecordFields<NonNullable<Added[Key]>> : unknown,
      Key extends 'orders' ? Step : never
    > &
      ExtendedSetUp<
        Key extends keyof Before ? Before[Key] : unknown,
        Key,
        Key extends keyof Added ? NonNullable<Added[Key]> : NoFields
      >;
  } & {
    readonly [Key in keyof Own]: TableDefinition<z.ZodType<RecordOf<Own[Key]['fields']>>> &
      SetUpOf<Own[Key]>;
  };

/** The table of faults of an API whose extensions can have more rules. */
interface AddedRules<Names> {
  /** The names of these rules: endpoints of resources, and steps. It has no value. */
  readonly ruleNames: { readonly [Name in Names & PropertyKey]: true } | undefined;
}

/** The names of rules that an extension adds to those of the store. */
export type RuleNameOf<Tables> = Tables extends {
  readonly faultRules: { readonly ruleNames: infer Names };
}
  ? keyof NonNullable<Names>
  : never;

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

/** The table of faults, with kinds of an extension. */
type KindsOf<Kinds> = Readonly<
  Record<
    'faultRules',
    AddedFaults<{
      readonly [Name in keyof Kinds]?: Kinds[Name] extends FaultOptions<infer Value>
        ? Value
        : never;
    }>
  >
>;

/** The function of `given` that sets up records of a resource. */
type SetUpOf<One extends { readonly fields: Fields }> = One extends {
  readonly singular: infer Singular extends string;
}
  ? SetUpTable<GivenName<Singular>, Partial<BodyOf<One['fields']>>, ViewOf<One['fields']>>
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
type ExtendedSetUp<Table, Key, All extends Fields> =
  Table extends SetUpTable<infer Name, infer Values, infer View>
    ? SetUpTable<Name, Values & Partial<BodyOf<All>>, View & ShownFields<All>>
    : Key extends keyof StoreSetUps
      ? SetUpTable<StoreSetUps[Key], Partial<BodyOf<All>>, ShownFields<All>>
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
    ? TableDefinition<z.ZodType<WithStates<z.output<Schema>, Step> & More>, IndexName, UniqueName> &
        ([Step] extends [never] ? unknown : AddedSteps<Step | StepOf<Table>>)
    : never;

type StepOf<Table> = Table extends AddedSteps<infer Step> ? Step : never;

type WithStates<Record_, Step> = [Step] extends [never]
  ? Record_
  : Record_ extends { readonly checkout_state: infer State }
    ? Omit<Record_, 'checkout_state'> & { readonly checkout_state: State | Step }
    : Record_;

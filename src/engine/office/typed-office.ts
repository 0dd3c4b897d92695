import type { AddedTypes, IdTranslations, SetUp, TypedApi } from '../definition/api.ts';
import type { FaultsApi } from '../faults/fault-rules.ts';
import type { JournalApi } from '../journal/journal.ts';
import type { CollectionsOf } from '../store/database.ts';
import type { ScriptApi } from './script-api.ts';

/** Options for an API of which TypeScript knows what extensions added to it. */
export interface TypedOptions<Tables> {
  /** The API that it serves (default: that of the store). */
  readonly api?: TypedApi<Tables> | undefined;
}

/** A back office with the tables of such an API, its steps, and its kinds of fault. */
export type WithTables<Office extends { readonly db: object }, Tables> = Tables extends AddedTypes
  ? WithUuids<
      WithSetUps<
        WithAdded<Omit<Office, 'db'>, keyof Tables['steps'], Tables['kinds']>,
        SetUpsOf<Tables['setUps']>
      >,
      Tables['uuids']
    > & {
      readonly db: ByUuid<
        Without<Office['db'], keyof Tables['tables']> & CollectionsOf<Tables['tables']>,
        keyof Tables['uuids']
      >;
    }
  : Office;

/** Returns a back office with the types of the API that it was opened with, which `BackOffice` itself has not. */
export function withTables<Office extends { readonly db: object }, Tables>(
  office: Office,
  _opened: TypedOptions<Tables>,
): WithTables<Office, Tables> {
  const typed: object = office;
  // No type of a function says that a conditional type is met.
  return typed as WithTables<Office, Tables>;
}

/** The methods of a back office whose clients know records by UUIDs. */
type WithUuids<Office, Names> = [keyof Names] extends [never]
  ? Office
  : IdTranslations<keyof Names & string> & {
      readonly [Part in keyof Office]: Part extends 'given'
        ? SetUpsWithUuids<Office[Part], Names[keyof Names], SingularOf<keyof Names>>
        : Office[Part] extends ById
          ? { readonly [Name in keyof Office[Part]]: ByEitherId<Office[Part][Name], Name> }
          : Office[Part];
    };

/** The name of the parameter that refers to a record of a table: `users` → `user`. */
type SingularOf<Key> = Key extends `${infer Name}s` ? Name : never;

/** The functions of `given`: those that set up records have UUIDs in their results, and accept them. */
type SetUpsWithUuids<Given, Name, Parameter> = {
  readonly [Key in keyof Given]: Given[Key] extends (values?: infer Values) => infer View
    ? View extends object
      ? (
          values?: WithUuidValues<Values, Parameter>,
        ) => Key extends Name ? Omit<View, 'id'> & { readonly id: string } : View
      : Given[Key]
    : Given[Key];
};

type WithUuidValues<Values, Parameter> = Values extends readonly (infer Item)[]
  ? readonly WithUuidValues<Item, Parameter>[]
  : Values extends object
    ? {
        [Key in keyof Values]: Key extends Parameter
          ? Values[Key] | string
          : WithUuidValues<Values[Key], Parameter>;
      }
    : Values;

/** Functions by the ids of records: steps, and explanations. */
type ById = { awaited(id: number): unknown } | { state(machine: string, id: number): unknown };

type EitherId = number | string;

/** A function of the checkout or of explanations, by an id or a UUID. Entries have numbers. */
type ByEitherId<Work, Name> = Name extends 'entry'
  ? Work
  : Work extends (...given: infer Given) => infer Result
    ? (...given: WithEitherId<Given>) => Result
    : Work;

type WithEitherId<Given> = Given extends [number, number]
  ? [id: EitherId, of: EitherId]
  : Given extends [number, ...infer Rest]
    ? [id: EitherId, ...rest: { [At in keyof Rest]: WithEitherIds<Rest[At]> }]
    : Given extends [infer Machine extends string, number, ...infer Rest]
      ? [machine: Machine, id: EitherId, ...rest: Rest]
      : Given extends [infer Values]
        ? [values: WithEitherIds<Values>]
        : Given;

/** Values whose fields such as `user_id` accept a UUID. */
type WithEitherIds<Values> = Values extends readonly unknown[] | ReadonlyMap<unknown, unknown>
  ? Values
  : Values extends object
    ? {
        [Key in keyof Values]: Key extends `${string}_id` ? Values[Key] | string : Values[Key];
      }
    : Values;

/** Collections that find records by UUIDs, too. */
type ByUuid<Collections, Key> = [Key] extends [never]
  ? Collections
  : {
      readonly [Name in keyof Collections]: Name extends Key
        ? Collections[Name] & FoundByUuid<Collections[Name]>
        : Collections[Name];
    };

type FoundByUuid<Collection> = Collection extends { get(id: number): infer Found }
  ? { get(uuid: string): Found; remove(uuid: string): NonNullable<Found> }
  : unknown;

/** Like `Omit`, which forgets the names of properties next to an index signature. */
type Without<All, Names> = { readonly [Name in keyof All as Exclude<Name, Names>]: All[Name] };

/** A back office whose faults, script, journal and `given` accept further steps, and kinds of fault. */
type WithAdded<Office, Step, Kinds> = [Step] extends [never]
  ? unknown extends Kinds
    ? Office
    : { readonly [Name in keyof Office]: WithKinds<Office[Name], Kinds> }
  : { readonly [Name in keyof Office]: WithStep<Office[Name], Step & string, Kinds> };

type WithKinds<Part, Kinds> = Part extends FaultsApi<infer Known> ? FaultsApi<Known, Kinds> : Part;

type WithStep<Part, Step extends string, Kinds> =
  Part extends FaultsApi<infer Known>
    ? FaultsApi<Known | Step, Kinds>
    : Part extends JournalApi<infer Known>
      ? JournalApi<Known | Step>
      : Part extends ScriptApi<infer Input, infer Rule>
        ? ScriptApi<Input | (Omit<Input, 'on'> & { readonly on: Step }), Rule>
        : Part extends { anOrder(values?: infer Values): infer Order }
          ? Omit<Part, 'anOrder'> & {
              anOrder(values?: Values | GivenAt<Values, Step>): Order;
            }
          : Part;

type GivenAt<Values, Step> = Omit<NonNullable<Values>, 'at' | 'awaits'> & {
  readonly at?: Step;
  readonly awaits?: Step;
};

/** The functions of `given` that an API adds, or whose records it gives more fields. */
type SetUpsOf<Tables> = {
  readonly [
    Key in keyof Tables as Tables[Key] extends SetUp<infer Name, unknown, unknown> ? Name : never
  ]: Tables[Key] extends SetUp<string, infer Values, infer View>
    ? (values?: Values) => View
    : never;
};

type WithSetUps<Office, Own> = Office extends { readonly given: infer Given }
  ? Omit<Office, 'given'> & { readonly given: WithOwn<Given, Own> & Omit<Own, keyof Given> }
  : Office;

/** The functions of `given`, with more values for records that have more fields. */
type WithOwn<Given, Own> = {
  readonly [Name in keyof Given]: Name extends keyof Own
    ? Given[Name] extends (values?: infer Values) => infer View
      ? Own[Name] extends (values?: infer More) => infer Shown
        ? (values?: NonNullable<Values> & NonNullable<More>) => View & Shown
        : never
      : never
    : Given[Name];
};

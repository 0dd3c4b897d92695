import type * as z from 'zod';
import type { Fact, KnownHistory, NextTransition, TriedRequest, TriedRule } from './explanation.ts';
import type { FollowingView } from './explanation-view.ts';
import type { FaultedApi, FaultTable } from '../faults/fault-rule.ts';
import type { FieldIssue } from '../lib/problem.ts';
import type { Derived } from '../lib/on-demand.ts';
import type { OnProgress } from '../lib/progress.ts';
import type { Clock, VirtualClock } from '../lib/virtual-clock.ts';
import type { DocumentParts } from '../rest/openapi.ts';
import type { SchemaNames } from '../rest/openapi-schemas.ts';
import type { DriftDefinition } from './drift.ts';
import type { NamedState } from './named-state.ts';
import type { Workflow } from './workflow.ts';
import type {
  AnyCall,
  EndpointRow,
  Example,
  RequestTarget,
  RestSettings,
} from '../rest/endpoint.ts';
import type { Form } from '../rest/form.ts';
import type { ApiRequest } from '../rest/message.ts';
import type { AnyDatabase, AnyTable, Definitions } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import type { Atomic, Transaction } from '../store/transaction.ts';
import type { DocumentTexts } from '../lib/document-texts.ts';

/** Settings that every API has. Others come from its definition. */
export type EngineSettings = RestSettings & {
  /** Maximum number of journal entries. */
  readonly journalSize: number;
};

/** A rule of the script that matched a step or a transition. */
export interface MatchedRule {
  readonly id: number;
  /** Number of matches so far. */
  readonly matched: number;
  /** Delay of the response: milliseconds, or `2s`. */
  readonly delay?: number | string | undefined;
}

/** The data of a back office, whatever its API, and what reads and writes them. */
export interface EngineShop {
  readonly api: ApiDefinition;
  readonly db: FaultTable & AnyDatabase;
  readonly clock: Clock;
  readonly transaction: Transaction;
  settings: EngineSettings;
  /** The seed of generated data, password hashes and tokens. */
  seed: number;
  /** The rules of the script that were applied. The caller of a step clears the list. */
  readonly firedRules: MatchedRule[];
  /** The rules that matched, with their counts. `restoreCounts` of the script clears the list. */
  readonly matchedRules: MatchedRule[];
  /** Is called after each transition of a state machine. */
  onTransition?: ((machine: string, name: string, to: string) => void) | undefined;
  /** Is called after each transition of a record, by whatever it was made. */
  onMove?: ((machine: string, id: number, row: MadeTransition) => void) | undefined;
  /** Is called after a transition. Unset while a scenario is set up. */
  readonly onState?: ApiDefinition['onState'];
}

interface MadeTransition {
  readonly name: string;
  readonly to: string;
}

/** The context of an endpoint. */
export interface ApiContext {
  readonly shop: EngineShop;
  /** Filters the rows of a list by the fields that an extension of the API added. */
  readonly where?: ((row: Row) => boolean) | undefined;
}

/** An endpoint of any API. */
export type ApiEndpoint = EndpointRow<ApiContext>;

/** A shop whose clock can be set. */
export interface MovableShop extends EngineShop {
  readonly clock: VirtualClock;
}

/** A field of a scenario in addition to those that every API has, such as orders to create. */
export interface ScenarioPart {
  /** Returns its share of the time of a set-up, in comparison with other parts. */
  weight(value: never): number;
  /**
   * Sets it up, under the settings of the scenario that it comes from.
   *
   * @returns its issues
   */
  fill(shop: MovableShop, value: never, onProgress: OnProgress | undefined): FieldIssue[];
  /** The keys of the tables that it adds records to. Records of the scenario can refer to these. */
  readonly tables: readonly string[];
  /** Whether its issues are listed in addition to those of the scenario's format. Parts that take long are left out. */
  readonly isChecked: boolean;
}

/** The issues of one record that its schema cannot express. */
export interface RecordCheck {
  /** Maximum number of records (default: unlimited). */
  readonly max?: number;
  issues(record: object, db: AnyDatabase, api: ApiDefinition): FieldIssue[];
}

/** A step of a request, by which faults, the script and the journal name it. */
export interface StepRow {
  readonly name: string;
  /** The state of the checkout that it starts from, and the one that it leads to. Others can be taken at any time. */
  readonly from?: string;
  readonly to?: string;
  /** Whether a record may go past it. */
  readonly optional?: true;
  /** The states of the last record of a table that mean failure, although the status of the response is of success. */
  readonly failedWhen?: { readonly table: string; readonly states: readonly string[] };
  /** The code of the step. If an extension added it: the result of `CheckoutDefinition.step`. */
  readonly implementation?: object | undefined;
  /** Whether an extension added it. */
  readonly added?: true;
}

/** A step that an extension of an API added. */
export interface AddedStep {
  /** The parameters of a customer without preferences. */
  readonly defaultInput: object;
  /** Performs the step on a record that has come to it. */
  submit(shop: EngineShop, record: Row, input: object, charge: AddCharge): void;
}

/** Adds a charge to a record, or a discount. @param amount minor units */
export type AddCharge = (description: string, amount: number) => void;

/** The checkout of an API: the records that take its steps, and how an extension adds a step. */
export interface CheckoutDefinition {
  /** The key of their table. */
  readonly table: string;
  /** The name of one of them in messages: `order`. */
  readonly singular: string;
  /** The field with the state that the steps lead from and to. */
  readonly field: string;
  /** The step that steps of extensions stand before. */
  readonly last: string;
  /** Creates the implementation of a step of an extension. */
  step(name: string, added: AddedStep): object;
  /** Creates the endpoint of such a step. */
  endpoint(step: {
    readonly name: string;
    readonly summary: string;
    readonly body: Form<unknown>;
    readonly example: Example;
    check(call: AnyCall<ApiContext>): readonly (FieldIssue | undefined)[];
  }): ApiEndpoint;
}

/** A state machine: where the states of its records are, and its rows. */
export interface MachineRow {
  readonly name: string;
  /** The name of the table of its records: `inventory_units`. */
  readonly table: string;
  /** The field with the state. */
  readonly field: string;
  /** The schema of that field. */
  readonly schema: z.ZodEnum;
  readonly states: readonly string[];
  /** The state of new records. */
  readonly initial: string;
  /** States that no transition leads to: only imported data, or code outside the machine, sets them. */
  readonly external: readonly string[];
  readonly transitions: readonly {
    readonly name: string;
    readonly from: readonly string[];
    readonly to: string;
  }[];
}

/** Returns the records that belong to a record, by the name of their table. */
export interface OwnedRecords {
  records(db: AnyDatabase, id: number): Readonly<Record<string, readonly Row[]>>;
}

/** A recorded request of a step. Only the last four digits of a card are recorded. */
export interface RecordedStep {
  readonly step?: string | undefined;
  readonly url: string;
  readonly request: { readonly body?: unknown };
}

/** The texts of an API in documents, in addition to those of its rows. */
export interface ApiDocuments extends Required<
  Pick<DocumentParts, 'guards' | 'tags' | 'parameters' | 'fields'>
> {
  /** The title of an API that does not extend the store: `todo` (default: the store). */
  readonly title?: string;
  readonly description: string;
  /** Descriptions in the place of those for any API. */
  readonly texts?: DocumentTexts;
  /** Summaries and examples of endpoints of the control API in the place of those for any API, by method and path. */
  readonly control?: Readonly<
    Record<string, { readonly summary?: string; readonly example?: Example }>
  >;
  /** Requests to send before the examples of the control API. */
  readonly preparations: readonly (readonly [
    method: string,
    url: string,
    body?: object | undefined,
  ])[];
}

/** Rules for the outcomes of steps. */
export interface ScriptDefinition {
  /** The schema of a rule as a scenario writes it. */
  readonly input: z.ZodObject;
  /** The schema of a stored rule. */
  readonly rule: z.ZodType<Row>;
  /** @param steps the steps of the API */
  issues(rule: unknown, steps: readonly StepRow[]): FieldIssue[];
  /** @throws Problem `invalid`, or `too many` */
  add(shop: EngineShop, rule: unknown): Row;
  /** Replaces a rule in its place, and restarts its counts. @throws Problem `missing`, or as `add` */
  replace(shop: EngineShop, id: number, rule: unknown): Row;
  /** Returns the table of rules. */
  rules(shop: EngineShop): Pick<AnyTable, 'page' | 'count' | 'remove'>;
  /** Restores the counts that were rolled back with a rejected request. Is called after a request in which rules have matched. */
  restoreCounts(shop: EngineShop): void;
}

/** The scenarios that an API comes with. */
export interface ScenarioSources {
  readonly scenarios: Readonly<Record<string, unknown>>;
  /** Records by the name of their file: `../fixtures/users.json`. */
  readonly fixtures: Readonly<Record<string, unknown>>;
}

/** The write to a record: before and after, undefined if the record did not exist. */
export interface RecordWrite {
  /** The name of its table. */
  readonly table: string;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** The context of explanations. */
export interface ExplainedWork {
  readonly shop: EngineShop;
  history(): KnownHistory;
  /** Explains something as it was after an entry. @throws Problem `refused` if the history does not keep the state */
  within<Result>(entry: number, explain: () => Result): Result;
}

/** What a request is for: `pay`, `paid` and `order 119`. */
export interface Task {
  readonly verb: readonly [present: string, past: string];
  readonly object: string;
}

/** Explains the records of an API: totals, states, refusals. */
export interface Explanations {
  /** The name of the table of the records that explanations of entries explain. */
  readonly table: string;
  /** Explains such a record. @throws Problem `missing` */
  record(shop: EngineShop, id: number): unknown;
  /** Returns functions that explain other things than states and entries, by name. */
  others(work: ExplainedWork): Readonly<Record<string, (...given: never[]) => unknown>>;
  /** Returns the transitions of a record. @throws Problem `missing` */
  transitions(shop: EngineShop, machine: string, id: number): readonly NextTransition[];
  /** Returns why the clock applied a transition. */
  due(shop: EngineShop, machine: string, id: number, transition: string): Fact[];
  /** Names a record that the clock moved: `cart`. */
  dueNoun(move: { readonly machine: string; readonly from?: string | undefined }): string;
  /** Returns in one line what an accepted request led to, such as the total of an order. */
  success(
    shop: EngineShop,
    entry: TriedRequest & { readonly answer: { readonly body?: unknown } },
  ): string | undefined;
  /**
   * Returns what writes did, as a verb, an object and a sum: `paid order 119, 54.40 EUR`.
   *
   * @param writes one for each record
   * @returns undefined if the API has no words for it
   */
  deed(shop: EngineShop, writes: readonly RecordWrite[]): string | undefined;
  /** Returns what a request of a step is for; undefined if its method and path say it. */
  task(step: string, url: string): Task | undefined;
  /** Compares the rules of the script with a request. */
  script(shop: EngineShop, request: TriedRequest): TriedRule[];
}

/** The overview of an API for newcomers. */
export interface Overview {
  /** Returns the numbers of records of a shop: `40 users, 120 orders`. */
  counts(db: AnyDatabase): string;
  /** The URLs of the lists that clients begin with. A server creates their indexes at its start. */
  readonly lists: readonly string[];
}

/** What can follow a request that concerns a record. */
export type Following = Readonly<z.output<typeof FollowingView>>;

/** The part of an API for servers and the control API, which a page loads with its first request to the control API. */
export interface ControlDefinition {
  /** Control endpoints in addition to those of any API. */
  readonly endpoints: readonly EndpointRow<never>[];
  /** Returns the control endpoints that set up records for a test. */
  setUp(api: ApiDefinition): readonly EndpointRow<never>[];
  /** Returns what can follow a request, for brief responses. */
  follow?(
    shop: EngineShop,
    entry: TriedRequest & { readonly answer: { readonly body?: unknown } },
  ): Following;
  /** Returns the states of records, in which a shop can be opened by name. */
  states(api: ApiDefinition): readonly NamedState<EngineShop>[];
  readonly documents: ApiDocuments;
  readonly overview: Overview;
  /** The schemas of a condition in its explanations, and of what explains a record that an entry changed. */
  readonly explanations?: { readonly fact: z.ZodType<Fact>; readonly record: z.ZodType };
  /** Whether a rule of the script would have applied to a recorded request, however often it applies. */
  matchesScript(shop: EngineShop, recorded: RecordedStep, rule: unknown): boolean;
}

/** UUIDs that clients see in the place of the ids of records. Code inside knows the ids. */
export interface ShownIds {
  /** Returns the id of a record for clients. */
  of(shop: EngineShop, table: string, id: number): string | number;
  /** The tables to whose records names refer, by name: `order`, `order_id`. */
  readonly names: ReadonlyMap<string, string>;
  /** Returns the id of a record of one table; undefined for other texts, the UUIDs of other tables included. */
  idOf(shop: EngineShop, table: string, uuid: string): number | undefined;
  /** Returns a request that code of this package writes as a client would: with UUIDs. */
  outside(shop: EngineShop, request: ApiRequest): ApiRequest;
  /** Returns a link with UUIDs. */
  linkOf(shop: EngineShop, link: string): string;
  /**
   * Returns an object whose functions accept UUIDs, too.
   *
   * @param table the table of the first parameter of each (default: those of `idParameters`)
   */
  accepting<Functions extends object>(
    shop: EngineShop,
    functions: Functions,
    table?: string,
  ): Functions;
}

/** An API as one value: everything that a back office serves follows from it. */
export interface ApiDefinition extends FaultedApi {
  readonly name: string;
  /** Whether a definition of a user has made it (default: false). */
  readonly isExtension?: true;
  /** The path of the endpoints for clients: `/api/v1`, or empty. Rows always say `/api`. */
  readonly path: string;
  readonly tables: Definitions & FaultedApi['tables'];
  /** All endpoints, those of tokens included. */
  readonly endpoints: readonly ApiEndpoint[];
  /** Returns the names of its views: of schemas that several responses share. */
  readonly views: () => SchemaNames;
  /** UUIDs in the place of ids (default: none). */
  readonly ids?: ShownIds;
  /** The schema of all settings, with their defaults. */
  readonly settings: z.ZodType<EngineSettings>;
  /** Settings that are ids, by name, with their tables. */
  readonly settingReferences: Readonly<Record<string, string>>;
  /** The format of scenarios: `scenarioFormat`. */
  readonly scenario: z.ZodObject;
  readonly scenarioParts: Readonly<Record<string, ScenarioPart>>;
  readonly sources: ScenarioSources;
  /** Returns a message for each record that is missing although responses embed it. Others may have been deleted. */
  missingRecords(db: AnyDatabase): string[];
  /** Checks of records, by the key of their table. */
  readonly checks: Readonly<Record<string, RecordCheck>>;
  /** The steps that endpoints name, in the order in which they are taken. */
  readonly steps: readonly StepRow[];
  /** The state machines of its records. */
  readonly machines: readonly MachineRow[];
  readonly script: ScriptDefinition;
  readonly explain?: Derived<Explanations>;
  /** The records that belong to those of a table, such as the items of `orders`, by the name of the table. */
  readonly owned: Readonly<Record<string, OwnedRecords>>;
  /** Returns the methods that only back offices of this API have, such as its steps without HTTP. */
  officeMethods?(shop: EngineShop, atomic: Atomic): object;
  /**
   * The keys of the tables of the ids that `officeMethods` and explanations accept, by function and in the order of its parameters.
   * A parameter after the name of a state machine is an id of its table.
   */
  readonly idParameters?: Readonly<Record<string, readonly string[]>>;
  /** Its part for servers and the control API. */
  readonly control?: Derived<ControlDefinition>;
  /** A request that messages name: `PUT /api/users/:user_id`. */
  readonly exampleRequest?: string;
  /** Card numbers for tests. An exported test sends one of them in the place of a number that was masked. */
  readonly testCards?: readonly string[];
  /** Sequences of requests, for documents and for checks of other servers. A page has none. */
  readonly workflows?: () => Promise<readonly Workflow[]>;
  /** Checks of other servers, in addition to those that follow from the rows. A page has none. */
  readonly drift?: () => Promise<DriftDefinition>;
  /** Is called when a record has come to a state. What it writes is part of the same request. */
  readonly onState?:
    | ((shop: EngineShop, machine: string, id: number, state: string) => void)
    | undefined;
  /** Runs what is due by the clock. */
  runDueEvents(shop: EngineShop): void;
  /** The credentials that `authenticate` accepts, in words: `a token of POST /oauth/v2/token`. */
  readonly credentials?: string;
  /** A URL whose response to GET has such a token, as `access_token`. */
  readonly tokenUrl?: string | undefined;
  /** Rejects a request without a valid token. @throws Problem */
  authenticate(shop: EngineShop, request: ApiRequest, target: RequestTarget): void;
}

/** An API of which TypeScript knows what extensions added to it. */
export interface TypedApi<Added> extends ApiDefinition {
  /** The types of what was added. It has no value. */
  readonly types?: Added | undefined;
}

/** The types of what extensions added to an API. */
export interface AddedTypes {
  /** The definitions of added tables, and of those with added fields, by key. */
  readonly tables: object;
  /** The functions of `given` for the same tables. */
  readonly setUps: object;
  /** The tables whose records clients know by UUIDs, with the names of the functions of `given` that set these up. */
  readonly uuids: object;
  /** Steps by name. */
  readonly steps: object;
  /** The fields of kinds of fault in a rule. */
  readonly kinds: unknown;
  /** Rules in addition to those of the store, by name. */
  readonly rules: object;
}

/** A function of `given`: its name, what it accepts and what it returns. */
export interface SetUp<Name extends string, Values, View> {
  readonly name: Name;
  readonly values: Values;
  readonly view: View;
}

/** The methods of back offices whose clients know records by UUIDs. */
export interface IdTranslations<Key = string> {
  /** Returns the id of a record for clients. @throws Problem `missing` for a table without UUIDs */
  uuidOf(table: Key, id: number): string;
  /** Returns the id in `db` of a record that clients know by a UUID. @throws Problem `missing`, for a UUID of another table as well */
  idOf(table: Key, uuid: string): number;
}

import type { RestSettings } from '../rest/endpoint.ts';
import type { Workflow, WorkflowStep } from './workflow.ts';

/** The kind of a finding. */
export type FindingKind =
  | 'status'
  | 'header'
  | 'shape'
  | 'value'
  | 'link'
  | 'order'
  | 'page'
  | 'error'
  | 'total'
  | 'transition'
  | 'setting';

/** Reports a difference: the rest of a finding is known from the exchange. */
export type Report = (kind: FindingKind, at: string, expected: string, received: unknown) => void;

/** A request as it was sent: `url` is the path and the query, without the origin. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
}

/** A response as it came. */
export interface ReceivedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Text; empty if there is no body. */
  readonly body: string;
  /** The parsed body, if the caller has parsed it. */
  readonly json?: unknown;
}

/** A response whose body has been parsed, if it is JSON. */
export interface ParsedResponse extends ReceivedResponse {
  /** The body. Each caller tests its shape before it reads it. */
  readonly json: unknown;
}

/** An object in a body, with the name of its view: `Order`. A page is `Page`. */
export interface ViewNode<Value = Readonly<Record<string, unknown>>> {
  readonly view: string;
  readonly value: Value;
  readonly path: readonly PropertyKey[];
  /** The objects that contain this one, the closest first. */
  readonly within: readonly ViewNode[];
}

/** The settings of a server, as far as they are known. */
export type KnownSettings = Partial<RestSettings> & Readonly<Record<string, unknown>>;

/** A step, and the state that it leads to. */
export interface StepState {
  readonly name: string;
  readonly to?: string;
}

/** Known facts about the server that a response came from. */
export interface Facts {
  /** The path in front of that of the API in links; links without it are accepted, too. */
  readonly prefix?: string | undefined;
  /** The path of the API (default: `/api`). */
  readonly apiPath?: string | undefined;
  readonly settings?: KnownSettings | undefined;
  /** The steps of the API that it should have. */
  readonly steps: readonly StepState[];
  /** The path and the query of the request, as the contract has them. */
  readonly url: string;
}

/** A place below a view: the name of a field, or a path. */
export type Place = PropertyKey | readonly PropertyKey[];

/** Reports differences of one view. What was received is by default the value at the place. */
export interface ViewReport {
  readonly report: (kind: FindingKind, place: Place, expected: string, received?: unknown) => void;
  /** Reports a value that is not the expected one. */
  readonly equal: (
    kind: FindingKind,
    place: Place,
    expected: unknown,
    why: string,
    received?: unknown,
  ) => void;
}

export type ViewCheck = (viewed: ViewNode<never>, check: ViewReport, known: Facts) => void;

/** A record in a response. */
export type Item = Readonly<Record<string, unknown>> & { readonly id: number };

/** The results of reads, for later requests. */
export interface ReadResults {
  /** Items of the collections by resource: `orders`. */
  readonly items: Map<string, readonly Item[]>;
  /** Links to follow: each with the place where it was first found. */
  readonly links: Map<string, string>;
}

/** The check of one server, as the probes of an API see it. */
export interface ServerCheck {
  /** Different in each run, for codes and addresses that must be unique. */
  readonly tag: string;
  readonly settings: KnownSettings;
  /** The parts that were not checked, with the reasons. */
  readonly notes: string[];
  /** Whether the resource of a path is to be checked. */
  includes(path: string): boolean;
  /** Notes settings that were found out, apart from those that are given. */
  set(found: KnownSettings): void;
  /** Sends a request and checks its response. */
  ask(request: SentRequest): Promise<ParsedResponse>;
  get(url: string): Promise<ParsedResponse>;
  /** Returns the response of a back office with the same settings, which has only what such requests have created. */
  expected(request: SentRequest): ParsedResponse;
  /** Sends a request that must be rejected whatever data a server has, and compares the error. */
  askForError(request: SentRequest): Promise<void>;
  /** Returns a function that reports differences of the response to a request. */
  reporter(request: SentRequest): Report;
  /** Reports another status than expected. Returns whether the status is the expected one. */
  expectStatus(request: SentRequest, seen: ParsedResponse, expected: number, why: string): boolean;
}

/** The expected results of the filters of a list, by records that the list has shown. */
export interface FilterChecks {
  /** Queries that no record matches. */
  readonly none: readonly string[];
  /** Queries that must be rejected. */
  readonly rejected?: readonly string[];
  /** The field whose text a query is made of. */
  readonly field: string;
  /** Returns a query that a record matches whose field has a text, and why it does. */
  readonly matching: (text: string) => readonly [query: string, why: string];
}

/** The checks of the list of a resource. */
export interface ListChecks {
  /** The default order; `-id` is descending (default: by id, ascending). */
  readonly order?: readonly string[];
  readonly filters?: FilterChecks;
  /** Fields: of the records with the same values of them, two are read (default: each of the first records is). */
  readonly kinds?: readonly string[];
  /** Maximum number of records that are read (default: 6). */
  readonly max?: number;
  /** Whether other checks need its records, whatever is to be checked. */
  readonly isRequired?: true;
}

/** Credentials of a user, and of the client that gets a token for them. */
export interface Login {
  readonly username: string;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A workflow to run, with the values of its inputs. */
export interface ProbeRun {
  readonly workflow: Workflow;
  readonly inputs: Readonly<Record<string, string | number>>;
}

/** The checks of other servers for an API, in addition to those that follow from its rows. */
export interface DriftDefinition {
  /** The URL that a check reads first: `/api/channels/`. */
  readonly entry: string;
  /** The rules of a view beyond its shape, by the name of the view. */
  readonly rules: Readonly<Record<string, readonly ViewCheck[]>>;
  /** The targets of links that are not named after the view of their record: `/api/orders/*`, where `*` is an id. */
  readonly links: Readonly<Record<string, string>>;
  /** By resource: `orders`. */
  readonly lists: Readonly<Record<string, ListChecks>>;
  /** Resources that belong to another one, by the name in their path: `{ promotion: 'promotions' }`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Collections whose records are not deleted at the end: with their parent, or never. */
  readonly undeleted: readonly string[];
  /** Fields of responses to PUT whose records stay when the record itself is deleted: `payments`. */
  readonly parts: readonly string[];
  /** Resources whose records others keep links to when they are deleted. */
  readonly outlived: readonly string[];
  /** Whether the data of a server decide if it accepts a body. */
  dependsOnData(path: string, body: object): boolean;
  /** Finds out settings by requests that only read. @param willWrite whether `probes` will find out more */
  findSettings(check: ServerCheck, willWrite: boolean): Promise<void>;
  /** Gets an access token. @returns the reason if there is none */
  token(
    check: ServerCheck,
    login: Login,
  ): Promise<{ readonly token: unknown; readonly why: string }>;
  /** Checks what follows from no row, after the lists were read. */
  read(check: ServerCheck, found: ReadResults): Promise<void>;
  /**
   * Finds out settings by requests that write.
   *
   * @returns the workflows to run: those of a list side by side, one list after the other
   */
  probes(check: ServerCheck, login: Login | undefined): Promise<readonly (readonly ProbeRun[])[]>;
  /** Is called with the response to each step of a workflow. */
  afterStep(check: ServerCheck, step: WorkflowStep, seen: ParsedResponse): void;
  /** Returns why a step may have another outcome than its workflow says; undefined if it may not. */
  otherOutcome(step: WorkflowStep, body: unknown): string | undefined;
}

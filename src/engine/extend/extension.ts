import type { ApiDefinition, CheckoutDefinition, TypedApi } from '../definition/api.ts';
import type { Fields } from './field-set.ts';
import type { Faults } from './user-fault.ts';
import type { AuthCall, ResourceOptions, Resources, Rule, StepOptions, Work } from './resource.ts';

/** The parts of an API that its extensions need. */
export interface ApiParts {
  /** The views of its tables. */
  readonly resources: Resources;
  /** Its checkout, if it has one. */
  readonly checkout: CheckoutDefinition | undefined;
  /** The resources that extensions have added to it, by key. */
  readonly addedResources: Readonly<Record<string, ResourceOptions>>;
}

/** An API with what an extension of it needs to know. */
export interface ExtendedApi<Tables = unknown> extends TypedApi<Tables>, ApiParts {
  /** The same API with integers, which extensions begin from, if it has UUIDs. */
  readonly plain?: ExtendedApi | undefined;
  /** The kinds of ids of its tables for clients, if not integers. */
  readonly kinds?: IdKinds | undefined;
}

/** Whether an extension made an API. */
export function isExtended(api: ApiDefinition): api is ExtendedApi {
  return api.isExtension === true;
}

/** The kinds of ids for clients, if not integers, by the key of the table. */
export type IdKinds = Readonly<Record<string, 'uuid'>>;

/** The additions of an extension to an API. */
export interface Extension {
  /** Its path for clients: `/api/v1`, or an empty text for none (default: as the API). */
  readonly path?: string;
  /** Fields of tables that the API has, by the key of the table. */
  readonly fields?: Readonly<Record<string, Fields>>;
  /** Tables of its own with their endpoints, by key. */
  readonly resources?: Readonly<Record<string, ResourceOptions>>;
  /** By the step, or by method and path as in the documents of the API. */
  readonly rules?: Readonly<Record<string, Rule>>;
  /** By their names, which are also those of the states that they lead to. */
  readonly steps?: Readonly<Record<string, StepOptions>>;
  /** Handlers for records that come to a state, by the machine and that state. */
  readonly on?: Readonly<Record<string, (call: Work & Readonly<Record<string, unknown>>) => void>>;
  /** Whether a request may be answered, in the place of the tokens of the API. @throws Problem */
  readonly auth?: ((call: AuthCall) => boolean) | undefined;
  /** Kinds of fault, by the field of a rule. */
  readonly faults?: Faults;
  readonly ids?: IdKinds;
  /** Records and settings of built-in scenarios, and scenarios of its own, by name. */
  readonly scenarios?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Requests that follow each other, each with the response that a server must give. They are data, which
 * `runWorkflow` runs and `arazzo` prints.
 *
 * A value in a request or an expectation can be an expression of
 * {@link https://spec.openapis.org/arazzo/v1.0.1.html#runtime-expressions Arazzo}: `$inputs.currency`, or
 * `$steps.openCart.outputs.order` for an output of an earlier step. In a longer text, it has braces:
 * `Bearer {$steps.getToken.outputs.token}`.
 */
export interface Workflow<Endpoint extends string = string> {
  /** `checkout` */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** Values that depend on the data of the server. The defaults fit a new server with the default scenario. */
  readonly inputs: Readonly<Record<string, WorkflowInput>>;
  readonly steps: readonly WorkflowStep<Endpoint>[];
  /** Deletes what the steps made, as far as the API can. They run last, also after a step that failed. */
  readonly cleanUp: readonly WorkflowStep<Endpoint>[];
  /** Marks one of what an extension of the API added. */
  readonly isExtension?: true;
}

export interface WorkflowInput {
  readonly description: string;
  readonly default: string | number;
}

export interface WorkflowStep<Endpoint extends string = string> {
  /** `openCart` */
  readonly id: string;
  readonly summary: string;
  /** A step under `/_backlot/` can run only on Backlot. */
  readonly endpoint: Endpoint;
  /** The step of the API that it takes: `confirm`. Steps that come before it and that the workflow lacks are added. */
  readonly takes?: string;
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON body. */
  readonly body?: JsonRecord;
  /** The expected status. If settings of a server decide, each of the possible ones. */
  readonly status: number | readonly number[];
  /** Expected values of the response body by JSON Pointer: `{ '/payments/0/state': 'completed' }`. */
  readonly expect?: Readonly<Record<string, string | number | boolean>>;
  /** Values of the response body by JSON Pointer, for later steps: `{ order: '/id' }`. */
  readonly outputs?: Readonly<Record<string, string>>;
}

export type JsonRecord = { readonly [Name in string]: JsonValue };
export type JsonValue = string | number | boolean | null | JsonRecord | readonly JsonValue[];

/** Whether a workflow has steps of the control API, which only Backlot has. */
export function needsControlApi({ steps, cleanUp }: Workflow): boolean {
  return [...steps, ...cleanUp].some(({ endpoint }) => endpoint.includes(' /_backlot/'));
}

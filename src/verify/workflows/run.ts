import { isObject, mapValues, valueAt } from '../../engine/lib/json-value.ts';
import type { JsonValue, Workflow, WorkflowStep } from '../../engine/definition/workflow.ts';

/** The request of a step, with all its expressions evaluated. */
export interface WorkflowRequest {
  readonly method: string;
  /** With the query: `/api/users/?limit=1`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body; undefined if there is none. */
  readonly body: unknown;
}

export interface WorkflowResponse {
  readonly status: number;
  /** The parsed JSON body; undefined if there is none. */
  readonly body: unknown;
}

/** A step that ran, and what the response lacked. */
export interface StepResult<Response extends WorkflowResponse = WorkflowResponse> {
  readonly step: WorkflowStep;
  readonly request: WorkflowRequest;
  readonly response: Response;
  /** One sentence for each expectation that the response does not meet. */
  readonly issues: readonly string[];
}

export interface RunOptions<Response extends WorkflowResponse> {
  /** Sends a request. If it throws, the run ends, and no more steps clean up. */
  readonly send: (request: WorkflowRequest, step: WorkflowStep) => Response | Promise<Response>;
  /** Values that replace the defaults of the workflow. */
  readonly inputs?: Readonly<Record<string, string | number>>;
}

/**
 * Runs a workflow until a step fails, then the steps that clean up.
 *
 * A step that needs an output of a step that did not run is left out.
 *
 * @returns the steps that ran, in their order
 */
export async function runWorkflow<Response extends WorkflowResponse>(
  workflow: Workflow,
  { send, inputs = {} }: RunOptions<Response>,
): Promise<readonly StepResult<Response>[]> {
  const known: Known = { inputs: inputsOf(workflow, inputs), outputs: new Map() };
  const results: StepResult<Response>[] = [];
  const run = async (step: WorkflowStep): Promise<boolean> => {
    const request = requestOf(step, known);
    const response = await send(request, step);
    const issues = issuesOf(step, response, known);
    results.push({ step, request, response, issues });
    known.outputs.set(step.id, outputsOf(step, response.body));
    return issues.length === 0;
  };
  for (const step of workflow.steps) if (!(await run(step))) break;
  for (const step of workflow.cleanUp) if (isReady(step, known)) await run(step);
  return results;
}

interface Known {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The outputs of each step. */
  readonly outputs: Map<string, Readonly<Record<string, unknown>>>;
}

function inputsOf(
  workflow: Workflow,
  given: Readonly<Record<string, string | number>>,
): Known['inputs'] {
  return mapValues(workflow.inputs, (input, name) => given[name] ?? input.default);
}

function requestOf(step: WorkflowStep, known: Known): WorkflowRequest {
  const [method = '', template = ''] = step.endpoint.split(' ');
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(textOf(evaluate(step.path?.[name] ?? '', known)).toWellFormed()),
  );
  const texts = (values: Readonly<Record<string, JsonValue>> = {}): [string, string][] =>
    Object.entries(values).map(([name, value]) => [name, textOf(evaluate(value, known))]);
  const query = new URLSearchParams(texts(step.query));
  return {
    method,
    path: query.size === 0 ? path : `${path}?${query}`,
    headers: Object.fromEntries(texts(step.headers)),
    body: step.body === undefined ? undefined : evaluate(step.body, known),
  };
}

function issuesOf(step: WorkflowStep, { status, body }: WorkflowResponse, known: Known): string[] {
  const statuses = [step.status].flat();
  if (!statuses.includes(status)) {
    return [`Expected status ${statuses.join(' or ')}, not ${status}.`];
  }
  return Object.entries(step.expect ?? {}).flatMap(([pointer, expression]) => {
    const expected = evaluate(expression, known);
    const actual = valueAt(body, keysOf(pointer));
    return actual === expected
      ? []
      : [`Expected ${pointer} to be ${textOf(expected)}, not ${textOf(actual)}.`];
  });
}

function outputsOf({ outputs = {} }: WorkflowStep, body: unknown): Record<string, unknown> {
  return mapValues(outputs, (pointer) => valueAt(body, keysOf(pointer)));
}

/** Whether all outputs are known that the request of a step uses. */
function isReady({ path, body }: WorkflowStep, known: Known): boolean {
  const used = JSON.stringify({ path, body }).matchAll(expression);
  return Array.from(used).every(([, name = '']) => lookUp(name, known) !== undefined);
}

const expression = /\$((?:inputs|steps)\.[\w.]+)/g;

/** Replaces the expressions in a value of a request. */
function evaluate(value: unknown, known: Known): unknown {
  if (typeof value === 'string') return evaluateText(value, known);
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map((one) => evaluate(one, known));
  return mapValues(value, (one) => evaluate(one, known));
}

function evaluateText(value: string, known: Known): unknown {
  const [whole, name = ''] = /^\$((?:inputs|steps)\.[\w.]+)$/.exec(value) ?? [];
  if (whole !== undefined) return lookUp(name, known);
  return value.replaceAll(/\{\$((?:inputs|steps)\.[\w.]+)\}/g, (_, inner: string) =>
    textOf(lookUp(inner, known)),
  );
}

/** `inputs.currency`, `steps.openCart.outputs.order` */
function lookUp(name: string, { inputs, outputs }: Known): unknown {
  const [from, first = '', , output = ''] = name.split('.');
  return from === 'inputs' ? inputs[first] : outputs.get(first)?.[output];
}

/** Returns the names in a JSON Pointer (RFC 6901) without escapes. */
function keysOf(pointer: string): string[] {
  return pointer.split('/').slice(1);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}

import { extensionMark } from '../engine/rest/field.ts';
import type { JsonObject } from '../engine/lib/json-value.ts';
import type { OpenApiDocument } from '../engine/rest/openapi.ts';
import { mapValues } from '../engine/lib/json-value.ts';
import type { Workflow, WorkflowStep } from '../engine/definition/workflow.ts';
import { keyOf } from '../verify/workflows/workflows-of.ts';

/** An Arazzo 1.0 document: {@link https://spec.openapis.org/arazzo/v1.0.1.html} */
export interface ArazzoDocument extends JsonObject {
  readonly arazzo: string;
  readonly workflows: readonly JsonObject[];
}

export interface ArazzoSource {
  /** The document that the operations of the steps are in. */
  readonly openapi: OpenApiDocument;
  /** The URL of a running server, without a trailing slash: `http://127.0.0.1:4000`. */
  readonly server: string;
}

/** Describes workflows as an Arazzo document. Their steps name operations of an OpenAPI document. */
export function arazzoOf(
  workflows: readonly Workflow[],
  { openapi, server }: ArazzoSource,
): ArazzoDocument {
  const operationIds = operationIdsOf(openapi);
  return {
    arazzo: '1.0.1',
    info: {
      title: 'Workflows of Backlot',
      version: openapi.info.version,
      description:
        'Each workflow runs on a new server with the default scenario. Steps under /_backlot can run only on Backlot. The last steps delete what the others made.',
    },
    sourceDescriptions: [
      {
        name: 'backlot',
        url: `${server}/_backlot/openapi.json`,
        type: 'openapi',
        // The document names its server by a path. Redocly Respect requires a whole URL.
        'x-serverUrl': server,
      },
    ],
    workflows: workflows.map((workflow) => ({
      workflowId: workflow.id,
      summary: workflow.summary,
      description: workflow.description,
      ...(workflow.isExtension && { [extensionMark]: true }),
      inputs: inputsOf(workflow),
      steps: [...workflow.steps, ...workflow.cleanUp].map((step) => stepOf(step, operationIds)),
    })),
  };
}

/** Returns the operation ids by method and path: `POST /api/orders` → `openCart`. */
function operationIdsOf({ paths }: OpenApiDocument): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => [
        keyOf(`${method.toUpperCase()} ${path}`),
        operationId,
      ]),
    ),
  );
}

function inputsOf({ inputs }: Workflow): JsonObject {
  const properties = mapValues(inputs, ({ description, default: initial }) => ({
    type: typeof initial === 'number' ? 'integer' : 'string',
    description,
    default: initial,
  }));
  return { type: 'object', properties };
}

/** @throws Error if the document lacks the operation */
function stepOf(step: WorkflowStep, operationIds: ReadonlyMap<string, string>): JsonObject {
  const operationId = operationIds.get(keyOf(step.endpoint));
  if (operationId === undefined) throw new Error(`${step.endpoint} is no operation`);
  const parameters = [
    ...parametersOf('path', step.path),
    ...parametersOf('query', step.query),
    ...parametersOf('header', step.headers),
  ];
  return {
    stepId: step.id,
    description: step.summary,
    operationId,
    ...(parameters.length > 0 && { parameters }),
    ...(step.body !== undefined && {
      requestBody: { contentType: 'application/json', payload: step.body },
    }),
    successCriteria: criteriaOf(step).map((condition) => ({ condition })),
    ...(step.outputs !== undefined && { outputs: outputsOf(step.outputs) }),
  };
}

function parametersOf(
  place: string,
  values: Readonly<Record<string, string | number>> = {},
): JsonObject[] {
  return Object.entries(values).map(([name, value]) => ({ name, in: place, value }));
}

function criteriaOf({ status, expect = {} }: WorkflowStep): string[] {
  return [
    [status]
      .flat()
      .map((one) => `$statusCode == ${one}`)
      .join(' || '),
    ...Object.entries(expect).map(
      ([pointer, value]) => `$response.body#${pointer} == ${literalOf(value)}`,
    ),
  ];
}

/** An expression or a literal of a condition. Texts have single quotes, which are doubled inside. */
function literalOf(value: string | number | boolean): string {
  if (typeof value !== 'string' || value.startsWith('$')) return String(value);
  return `'${value.replaceAll("'", "''")}'`;
}

function outputsOf(outputs: Readonly<Record<string, string>>): JsonObject {
  return mapValues(outputs, (pointer) => `$response.body#${pointer}`);
}

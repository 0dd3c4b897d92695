import type { EndpointName, Method } from '../../contract.ts';
import type { Workflow, WorkflowStep } from '../../engine/definition/workflow.ts';

/** `GET /api/users/:user_id` */
export type StoreEndpoint =
  | EndpointName
  | `${Method} /oauth/v2/token`
  | `${Method} /_backlot/${string}`;

/** A workflow of endpoints that the store has. */
export type StoreWorkflow = Workflow<StoreEndpoint>;
export type StoreStep = WorkflowStep<StoreEndpoint>;

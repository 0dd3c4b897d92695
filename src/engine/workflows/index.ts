import { oauth, passwordReset } from './accounts.ts';
import { backorder, refund } from './fulfilment.ts';
import { checkout, couponLimit, declinedCard } from './orders.ts';
import type { EndpointRow } from '../rest/endpoint.ts';
import { keyOf } from './arazzo.ts';
import { ownWorkflows } from './own.ts';
import type { Workflow } from './workflow.ts';

/** All workflows. */
export const workflows: readonly Workflow[] = [
  checkout,
  declinedCard,
  couponLimit,
  backorder,
  refund,
  passwordReset,
  oauth,
];

/** Returns the workflows of an API: those whose endpoints it has, and one for each resource that an extension added. */
export function workflowsOf(rows: readonly EndpointRow<never>[]): readonly Workflow<string>[] {
  const names = new Set(rows.map(({ method, path }) => keyOf(`${method} ${path}`)));
  const isServed = ({ steps, cleanUp }: Workflow): boolean =>
    [...steps, ...cleanUp].every(
      ({ endpoint }) => endpoint.includes(' /_backlot/') || names.has(keyOf(endpoint)),
    );
  return [...workflows.filter(isServed), ...ownWorkflows(rows)];
}

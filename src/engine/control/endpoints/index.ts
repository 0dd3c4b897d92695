import type { ApiDefinition } from '../../definition/api.ts';
import { memoized } from '../../lib/memoized.ts';
import { createApiRouter, type Router } from '../../rest/router.ts';
import type { ControlContext, ControlEndpoint } from '../endpoint.ts';
import { chaosEndpoints } from './chaos.ts';
import { clockEndpoints } from './clock.ts';
import { coverageEndpoints } from './coverage.ts';
import { beginEndpoints } from './begin.ts';
import { documentEndpoints } from './documents.ts';
import { healthEndpoints } from './health.ts';
import { machineEndpoints } from './machines.ts';
import { metricsEndpoints } from './metrics.ts';
import { ruleOrderEndpoints } from './rule-order.ts';
import { faultEndpoints, holdEndpoints, previewEndpoints, scriptEndpoints } from './rules.ts';
import { fileEndpoints, resetEndpoints, snapshotEndpoints } from './reset.ts';
import { eventEndpoints } from './events.ts';
import { explainEndpoints } from './explain.ts';
import { historyEndpoints } from './history.ts';
import { traceEndpoints } from './trace.ts';
import { tableEndpoints } from './tables.ts';
import { journalEndpoints } from './journal.ts';
import { sessionEndpoints } from './sessions.ts';
import { weatherEndpoints } from './weather.ts';
import { stateEndpoints } from './states.ts';

/** Returns the control endpoints for an API: those of any, and its own. */
export const controlEndpoints = memoized(createEndpoints);

/** Returns the router of the control API for an API. */
export const controlRouter = memoized((api: ApiDefinition): Router<ControlContext> =>
  createApiRouter(controlEndpoints(api)),
);

/** Returns the number of requests that a request of a path counts as, whatever its method. */
export function costOf(api: ApiDefinition, path: string): number {
  const { route } = controlRouter(api).find(path) ?? {};
  const rows = [...(route?.methods.values() ?? [])].flat();
  return Math.max(1, ...rows.map(({ cost = 1 }) => cost));
}

function createEndpoints(api: ApiDefinition): readonly ControlEndpoint[] {
  const control = api.control?.parts();
  const texts = control?.documents.control ?? {};
  const added = [...(control?.setUp(api) ?? []), ...(control?.endpoints ?? [])];
  return [
    ...healthEndpoints,
    ...metricsEndpoints,
    ...beginEndpoints,
    ...resetEndpoints,
    ...clockEndpoints,
    ...scriptEndpoints(api),
    ...faultEndpoints(api),
    ...holdEndpoints,
    ...weatherEndpoints,
    ...previewEndpoints(api),
    ...ruleOrderEndpoints,
    ...journalEndpoints(api),
    ...coverageEndpoints,
    ...chaosEndpoints,
    ...historyEndpoints,
    ...traceEndpoints,
    ...explainEndpoints(api),
    ...eventEndpoints,
    ...snapshotEndpoints,
    ...fileEndpoints(api),
    ...machineEndpoints,
    ...stateEndpoints(api),
    ...tableEndpoints,
    ...(added as readonly ControlEndpoint[]),
    ...sessionEndpoints,
    ...documentEndpoints,
  ].map((row) => ({ ...row, ...texts[`${row.method} ${row.path}`] }));
}

import type { ControlEndpoint } from '../endpoint.ts';
import { clockEndpoints } from './clock.ts';
import { coverageEndpoints } from './coverage.ts';
import { beginEndpoints } from './begin.ts';
import { documentEndpoints } from './documents.ts';
import { healthEndpoints } from './health.ts';
import { metricsEndpoints } from './metrics.ts';
import { faultEndpoints, holdEndpoints, scriptEndpoints } from './rules.ts';
import { fileEndpoints, resetEndpoints, snapshotEndpoints } from './reset.ts';
import { eventEndpoints } from './events.ts';
import { explainEndpoints } from './explain.ts';
import { historyEndpoints } from './history.ts';
import { orderViewEndpoints } from './order-view.ts';
import { progressEndpoints } from './progress.ts';
import { tableEndpoints } from './tables.ts';
import { givenEndpoints } from './given.ts';
import { journalEndpoints } from './journal.ts';
import { sessionEndpoints } from './sessions.ts';
import { shopEndpoints } from './shop.ts';
import { transitionEndpoints } from './transitions.ts';

/** The control endpoints. */
export const controlEndpoints: readonly ControlEndpoint[] = [
  ...healthEndpoints,
  ...metricsEndpoints,
  ...beginEndpoints,
  ...resetEndpoints,
  ...givenEndpoints,
  ...clockEndpoints,
  ...scriptEndpoints,
  ...faultEndpoints,
  ...holdEndpoints,
  ...journalEndpoints,
  ...coverageEndpoints,
  ...historyEndpoints,
  ...eventEndpoints,
  ...snapshotEndpoints,
  ...fileEndpoints,
  ...transitionEndpoints,
  ...shopEndpoints,
  ...tableEndpoints,
  ...progressEndpoints,
  ...orderViewEndpoints,
  ...explainEndpoints,
  ...sessionEndpoints,
  ...documentEndpoints,
];

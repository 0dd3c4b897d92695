import * as z from 'zod';
import { endpoint } from '../endpoint.ts';

export const metricsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/metrics',
    operationId: 'getMetrics',
    summary:
      'Get counts and durations of requests and counts of sessions in the OpenMetrics format',
    headers: {
      'content-type': 'application/openmetrics-text; version=1.0.0; charset=utf-8',
      'cache-control': 'no-store',
    },
    answer: z.string(),
    handle: ({ server }) => server.metrics(),
  }),
];

import * as z from 'zod';
import { Timestamp } from '../../models/fields.ts';
import { endpoint } from '../endpoint.ts';

const Health = z.strictObject({
  status: z.literal('ok'),
  scenario: z.string(),
  now: Timestamp,
  sessions: z.int(),
});

export const healthEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/health',
    summary: 'Check that the server responds',
    status: 200,
    answer: Health,
    errors: [],
    example: { url: '/_backlot/health' },
    handle: ({ server: { shared, sessions } }) => ({
      status: 'ok' as const,
      scenario: shared.scenario.name,
      now: shared.clock.now(),
      sessions: sessions.list().length,
    }),
  }),
];

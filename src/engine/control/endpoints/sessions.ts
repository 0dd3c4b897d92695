import * as z from 'zod';
import { Timestamp } from '../../lib/fields.ts';
import { text } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { endpoint, type SessionEntry } from '../endpoint.ts';

const SessionView = z.strictObject({
  name: z.string(),
  scenario: z.string(),
  now: Timestamp,
  requests: z.int().describe('Number of requests that were recorded since its start or a reset'),
  idle_seconds: z.int(),
  age_seconds: z.int(),
  path: z
    .string()
    .describe('Path in front of its paths, for clients that cannot set a header: `/s/ada`'),
});

const SessionsView = z.strictObject({
  sessions: z.array(SessionView),
  dropped: z
    .array(z.strictObject({ name: z.string(), reason: z.string() }))
    .describe('The last sessions that the server removed by itself, and why'),
});
export type SessionsView = z.output<typeof SessionsView>;

const path = '/_backlot/sessions/:name';

export const sessionEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/sessions',
    summary: 'List the sessions, least recently used first',
    answer: SessionsView,
    handle: ({ server: { sessions }, basePath }) => ({
      sessions: sessions.list().map((entry) => sessionView(entry, basePath)),
      dropped: sessions.evicted().map(({ name, reason }) => ({ name, reason })),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/sessions',
    operationId: 'openSession',
    summary: 'Open a session, with the scenario of the server or another one',
    body: form({
      name: text(),
      scenario: text().optional().describe('Name of a scenario (default: that of the server)'),
    }),
    status: 201,
    answer: SessionView,
    errors: ['malformed', 'invalid', 'missing', 'conflict', 'too many'],
    example: { url: '/_backlot/sessions', body: { name: 'ada', scenario: 'default' } },
    handle({ server, basePath, client, body: { name, scenario } }) {
      const known = scenario === undefined ? undefined : server.scenario(scenario);
      server.sessions.open(name, known, client);
      return sessionView(server.sessions.get(name), basePath);
    },
    location: ({ name }) => `/_backlot/sessions/${name}`,
  }),
  endpoint({
    method: 'DELETE',
    path: '/_backlot/sessions',
    operationId: 'deleteSessions',
    summary: 'Delete all sessions',
    handle: ({ server }) => server.sessions.clear(),
  }),
  endpoint({
    method: 'GET',
    path,
    summary: 'Get a session',
    answer: SessionView,
    example: { url: '/_backlot/sessions/ada' },
    handle: ({ server, basePath, params }) =>
      sessionView(server.sessions.get(params.name), basePath),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/sessions/:name/reset',
    operationId: 'resetSession',
    summary: 'Reset a session to the same or another scenario',
    body: form({
      scenario: text().optional().describe('Name of a scenario (default: the present one)'),
    }),
    answer: SessionView,
    example: { url: '/_backlot/sessions/ada/reset' },
    handle({ server, basePath, params, body: { scenario } }) {
      const entry = server.sessions.get(params.name);
      entry.office.reset(scenario === undefined ? undefined : server.scenario(scenario));
      return sessionView(entry, basePath);
    },
  }),
  endpoint({
    method: 'DELETE',
    path,
    summary: 'Delete a session; using its name again opens a new one',
    example: { url: '/_backlot/sessions/ada' },
    handle: ({ server, params }) => server.sessions.remove(params.name),
  }),
];

function sessionView(entry: SessionEntry, basePath: string): z.output<typeof SessionView> {
  const { name, office, idleSeconds, ageSeconds } = entry;
  return {
    name,
    scenario: office.scenario.name,
    now: office.clock.now(),
    requests: office.journal.count() + office.journal.dropped,
    idle_seconds: idleSeconds,
    age_seconds: ageSeconds,
    path: `${basePath}/s/${name}`,
  };
}

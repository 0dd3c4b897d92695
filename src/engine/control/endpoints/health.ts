import * as z from 'zod';
import { aboutApi } from '../../definition/about-api.ts';
import { addressOf } from '../../lib/api-path.ts';
import { Timestamp } from '../../lib/fields.ts';
import { namePattern } from '../../lib/names.ts';
import { form } from '../../rest/form.ts';
import { endpoint, VisitorRights, type ControlContext } from '../endpoint.ts';

const OwnSession = z.strictObject({
  name: z.string(),
  scenario: z.string().optional().describe('Unset if the session is not open'),
  age_seconds: z.int().optional(),
  idle_seconds: z.int().optional(),
  seconds_left: z.int().optional().describe('Until it ends if it is not used'),
  ends_by: z
    .enum(['idle', 'life'])
    .optional()
    .describe('What ends it then: that it was not used, or its age, used or not'),
  ended: z.string().optional().describe('Why the server has removed it'),
});

const Health = z.strictObject({
  status: z.literal('ok'),
  scenario: z.string(),
  now: Timestamp,
  sessions: z.int(),
  ready: z.boolean().optional().describe('Shown for `?ready`'),
  session: OwnSession.optional().describe(
    'The session that the request names. This does not use it',
  ),
  address: z.string().describe('Path in front of `/api`, as the client sees it: `/s/ada`'),
  api: z.string().describe('What the API is called: `store`'),
  api_path: z.string().describe('Path of the API: `/api`'),
  list: z.string().optional().describe('A list to begin with, below this path: `/orders/`'),
  pages: z.boolean().describe('Whether the studio has pages for the API beside those of any'),
  may: VisitorRights,
});
export type Health = z.output<typeof Health>;

const healthForm = form({
  ready: z
    .string()
    .optional()
    .describe('Shows `ready`, with status 503 until the next request will be answered'),
});

export const healthEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/health',
    operationId: 'checkHealth',
    summary: 'Check that the server responds, or with `?ready` that it is ready',
    query: healthForm,
    answer: Health,
    unavailable: 'With `?ready`, the next request would have to wait',
    statusFor: ({ target, server }) =>
      asksReady(target.query) && !server.isReady() ? 503 : undefined,
    handle({ server, session, target, prefix, may }) {
      const { shared, sessions } = server;
      const { api } = shared.shop;
      const { name, list, hasPages } = aboutApi(api);
      return {
        status: 'ok' as const,
        scenario: shared.scenario.name,
        now: shared.clock.now(),
        sessions: sessions.list().length,
        ...(asksReady(target.query) && { ready: server.isReady() }),
        ...(session !== undefined &&
          namePattern.test(session) && { session: ownSession(sessions, session) }),
        address: prefix,
        api: name,
        api_path: api.path,
        list: list && addressOf('', list),
        pages: hasPages,
        may: { ...may, findings: may.findings && server.chaos?.exist() === true },
      };
    },
  }),
];

/** A form would read `?ready`, which has no value, as unset. */
function asksReady(query: string): boolean {
  return /(^|&)ready(=|&|$)/.test(query);
}

function ownSession(
  sessions: ControlContext['server']['sessions'],
  name: string,
): z.output<typeof OwnSession> {
  const entry = sessions.find(name);
  if (entry === undefined) return { name, ended: sessions.reasonOfEnd(name) };
  const { office, ageSeconds, idleSeconds, secondsLeft, endsBy } = entry;
  return {
    name,
    scenario: office.scenario.name,
    age_seconds: ageSeconds,
    idle_seconds: idleSeconds,
    seconds_left: secondsLeft,
    ends_by: endsBy,
  };
}

import * as z from 'zod';
import { Problem } from '../../lib/problem.ts';
import { text } from '../../rest/field.ts';
import { form, notValid } from '../../rest/form.ts';
import { endpoint, type ControlContext } from '../endpoint.ts';
import { linkTarget } from '../link-target.ts';
import { findState } from './states.ts';

const BegunSession = z.strictObject({
  session: z.string(),
  scenario: z.string(),
  to: z.string().describe('The same as `Location`, without the base path'),
});

const beginForm = form({
  scenario: text().optional().describe('Name of a scenario (default: that of the server)'),
  snapshot: text().optional().describe('A published snapshot, or one of the shared back office'),
  state: text()
    .optional()
    .describe(
      'A state that `GET /_backlot/states` lists, to open in it; `{id}` in `to` stands for the id of its record',
    ),
  to: text({ max: 2000 })
    .optional()
    .describe(
      'Where to go on: a path of this host, or a URL of an origin that `--cors-origin` names (default: the orders in the studio, or its documents if the control API requires a token)',
    ),
});

export const beginEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/begin',
    operationId: 'beginSession',
    summary: 'Begin a session by a link: a cookie names it, and the response leads to a page',
    query: beginForm,
    status: 303,
    answer: BegunSession,
    errors: ['missing', 'invalid', 'refused', 'too many', 'not allowed'],
    example: { url: '/_backlot/begin?scenario=default&to=/shop' },
    check({ query: { scenario, snapshot, to }, isNamedOrigin }) {
      const isBoth = scenario !== undefined && snapshot !== undefined;
      const isWrong = to !== undefined && linkTarget(to, isNamedOrigin) === undefined;
      return [
        ...(isBoth ? [{ path: ['snapshot'], message: 'Name a scenario or a snapshot.' }] : []),
        ...(isWrong ? [{ path: ['to'], message: `${notValid} ${expectedTarget}` }] : []),
      ];
    },
    handle({
      server,
      begin,
      isNamedOrigin,
      may,
      query: { scenario, snapshot, state, to = landingOf(may) },
    }) {
      const target = linkTarget(to, isNamedOrigin) ?? landingOf(may);
      const { api } = server.shared.shop;
      const open = state === undefined ? undefined : findState(state, server.scenarios(), api);
      const office = begin({
        scenario: scenario === undefined ? undefined : server.scenario(scenario),
        snapshot: snapshot === undefined ? undefined : ownersSnapshot(server, snapshot),
        isForOtherOrigin: !target.startsWith('/'),
      });
      const { session = '', scenario: opened } = office;
      const { id } = open?.(office) ?? {};
      const page = id === undefined ? to : to.replaceAll('{id}', String(id));
      return { session, scenario: opened.name, to: linkTarget(page, isNamedOrigin) ?? target };
    },
    location: ({ to }) => to,
  }),
];

/**
 * Returns the page of the studio for a visitor who has just come: one that shows something in a shop in which nothing has
 * happened, or without the control API, the documents, in which operations of the store API are tried.
 */
export function landingOf(may: { readonly control: boolean }): string {
  return may.control ? '/_backlot/#/orders' : '/_backlot/#/docs';
}

const expectedTarget =
  'Expected a path such as /shop, or a URL of an origin that --cors-origin names.';

/** The message lists no names, because visitors may not know them. */
function ownersSnapshot({ shared }: ControlContext['server'], name: string) {
  const snapshot = shared.snapshots.list().find((one) => one.name === name);
  if (snapshot !== undefined) return snapshot;
  throw new Problem('missing', `Snapshot '${name}' not found.`);
}

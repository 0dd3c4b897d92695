import * as z from 'zod';
import { parseDateTime } from '../../lib/duration.ts';
import { Timestamp } from '../../models/fields.ts';
import { Problem } from '../../lib/problem.ts';
import { integer, text } from '../../rest/field.ts';
import { form, notValid } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';
import type { BackOffice } from '../../office/back-office.ts';

const ScenarioView = z.strictObject({ name: z.string(), description: z.string() });

/** Where a back office stands after it has begun. */
export const StartView = z.strictObject({
  scenario: z.string(),
  seed: z.int(),
  now: Timestamp,
});

/** What can be said of a start, wherever there is one. */
const startForm = {
  scenario: text().optional(),
  seed: integer({ min: 0 }).optional(),
  now: text().optional(),
};

export const resetEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/scenarios',
    summary: 'List the scenarios that can be started',
    status: 200,
    answer: z.array(ScenarioView),
    errors: [],
    example: { url: '/_backlot/scenarios' },
    handle: ({ server }) =>
      server.scenarios().map(({ name, description }) => ({ name, description })),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/reset',
    summary: 'Begin anew, or with another scenario; named snapshots stay',
    body: form(startForm),
    status: 200,
    answer: StartView,
    errors: ['missing', 'invalid', 'forbidden'],
    example: { url: '/_backlot/reset', body: { scenario: 'default' } },
    check: ({ body: { now } }) => momentProblems('now', now),
    handle({ office, server, body: { scenario, seed, now } }) {
      const known = scenario === undefined ? undefined : server.scenario(scenario);
      if (server.fixedStarts) refuseOther({ seed, now });
      const said = scenario !== undefined || seed !== undefined || now !== undefined;
      const one = office();
      if (said) one.reset(known, { seed, now });
      else one.reset();
      return startView(one);
    },
  }),
];

/** Each way to begin is set up and kept apart, so that many of them fill the memory. */
function refuseOther(wanted: { readonly seed: unknown; readonly now: unknown }): void {
  if ((wanted.seed ?? wanted.now) === undefined) return;
  throw new Problem(
    'forbidden',
    'This server begins with the seed and the moment of the scenario and no others; the clock can be moved afterwards.',
  );
}

export function startView({ scenario, shop, clock }: BackOffice): z.output<typeof StartView> {
  return { scenario: scenario.name, seed: shop.seed, now: clock.now() };
}

/** The problem of a parameter that is no moment; none where it is not given. */
export function momentProblems(name: string, moment: string | undefined) {
  return moment === undefined || parseDateTime(moment) !== undefined
    ? []
    : [{ path: [name], message: `${notValid} Expected a moment such as 2026-03-02T09:00:00Z.` }];
}

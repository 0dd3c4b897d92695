import * as z from 'zod';
import { parseDateTime } from '../../lib/duration.ts';
import { Timestamp } from '../../lib/fields.ts';
import { flag, integer, text } from '../../rest/field.ts';
import { form, notValid, fileForm } from '../../rest/form.ts';
import { assertAllowedFile, assertAllowedStart, isScenario } from '../allowed-starts.ts';
import { endpoint, wholeSession, type ControlEndpoint } from '../endpoint.ts';
import type { BackOffice } from '../../office/back-office.ts';
import type { Snapshot } from '../../office/snapshots.ts';
import { fileFormat, fileVersion } from '../../office/file.ts';
import type { ApiDefinition } from '../../definition/api.ts';
import { documentTexts } from '../../lib/document-texts.ts';

const ScenarioView = z.strictObject({ name: z.string(), description: z.string() });
export type ScenarioView = z.output<typeof ScenarioView>;

/** The start of a back office after a reset or an import. */
export const StartView = z.strictObject({
  scenario: z.string(),
  seed: z.int(),
  now: Timestamp,
});

/** The parameters of a reset. */
const startForm = {
  scenario: text().optional().describe('Name of a scenario (default: the present one)'),
  seed: integer({ min: 0 })
    .optional()
    .describe('Seed of all that is random (default: that of the scenario)'),
  now: text()
    .optional()
    .describe('Start time of the clock, an ISO 8601 date-time (default: that of the scenario)'),
};

export const resetEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/scenarios',
    summary: 'List the scenarios',
    answer: z.array(ScenarioView),
    handle: ({ server }) =>
      server.scenarios().map(({ name, description }) => ({ name, description })),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/reset',
    operationId: 'reset',
    summary: 'Reset to the same or another scenario; keep named snapshots',
    body: form(startForm),
    answer: StartView,
    errors: ['missing', 'invalid', 'forbidden'],
    example: { url: '/_backlot/reset', body: { scenario: 'default' } },
    check: ({ body: { now } }) => dateTimeIssues('now', now),
    handle({ office, server, body: { scenario, seed, now } }) {
      const known = scenario === undefined ? undefined : server.scenario(scenario);
      assertAllowedStart(server, office, { scenario, seed, now });
      const isOther = scenario !== undefined || seed !== undefined || now !== undefined;
      const backOffice = office();
      if (isOther) backOffice.reset(known, { seed, now });
      else backOffice.reset();
      return startView(backOffice);
    },
  }),
];

export function startView({ scenario, shop, clock }: BackOffice): z.output<typeof StartView> {
  return { scenario: scenario.name, seed: shop.seed, now: clock.now() };
}

/** Returns the issue of a parameter that is not a date-time, if any. */
export function dateTimeIssues(name: string, value: string | undefined) {
  return value === undefined || parseDateTime(value) !== undefined
    ? []
    : [{ path: [name], message: `${notValid} Expected a date-time such as 2026-03-02T09:00:00Z.` }];
}

const SnapshotView = z.strictObject({
  name: z.string(),
  scenario: z.string(),
  now: Timestamp,
});
export type SnapshotView = z.output<typeof SnapshotView>;

export const snapshotEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/snapshot',
    operationId: 'listSnapshots',
    summary: 'List snapshots, oldest first',
    answer: z.array(SnapshotView),
    handle: ({ office }) => office().snapshots.list().map(snapshotView),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/snapshot',
    operationId: 'takeSnapshot',
    summary: 'Take a snapshot, replacing any of the same name',
    body: form({
      name: text(),
      publish: flag().optional().describe(documentTexts.snapshotPublish),
    }),
    status: 201,
    answer: SnapshotView,
    errors: ['malformed', 'invalid', 'forbidden', 'too many'],
    example: { url: '/_backlot/snapshot', body: { name: 'before-test' } },
    handle({ office, server, body: { name, publish = false } }) {
      if (publish) server.assertPublishing();
      const snapshot = office().snapshot(name);
      if (publish) server.shared.snapshots.put(name, snapshot);
      return snapshotView(snapshot);
    },
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/snapshot/:name/restore',
    operationId: 'restoreSnapshot',
    summary: 'Restore a snapshot',
    answer: SnapshotView,
    errors: ['missing', 'refused'],
    example: { url: '/_backlot/snapshot/before-test/restore' },
    handle({ office, params }) {
      const backOffice = office();
      backOffice.restore(params.name);
      return snapshotView(backOffice.snapshots.get(params.name));
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/_backlot/snapshot/:name',
    summary: 'Delete a snapshot',
    example: { url: '/_backlot/snapshot/before-test' },
    handle: ({ office, params }) => office().snapshots.remove(params.name),
  }),
];

function snapshotView({ name = '', state }: Snapshot): z.output<typeof SnapshotView> {
  return { name, scenario: state.start.scenario.name, now: state.clock.now };
}

/** The endpoints of exports and imports of an API. */
export function fileEndpoints(api: ApiDefinition): readonly ControlEndpoint[] {
  const file = fileFormat(api);
  return [
    endpoint({
      method: 'GET',
      path: '/_backlot/export',
      operationId: 'exportBackOffice',
      cost: wholeSession,
      summary: 'Export the back office as one JSON file',
      answer: file,
      handle: ({ office }) => office().export(),
    }),
    endpoint({
      method: 'POST',
      path: '/_backlot/import',
      operationId: 'importBackOffice',
      cost: wholeSession,
      summary:
        'Import a file that a back office exported, reset to a scenario, or open a trace with its history',
      body: fileForm(file),
      answer: StartView,
      errors: [
        'malformed',
        'invalid',
        'missing',
        'forbidden',
        'conflict',
        'too many',
        'unsupported',
      ],
      example: {
        url: '/_backlot/import',
        body: {
          format: 'backlot',
          version: fileVersion,
          scenario: 'default',
          seed: 1,
          now: '2026-03-02T09:00:00+0000',
          clock: 'frozen',
          settings: {},
          tables: {},
        },
      },
      handle({ office, server, body }) {
        assertAllowedFile(server, office, body);
        const backOffice = office();
        if (isScenario(body)) backOffice.reset(body);
        else backOffice.import(body);
        return startView(backOffice);
      },
    }),
  ];
}

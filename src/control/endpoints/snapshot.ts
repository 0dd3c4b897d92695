import * as z from 'zod';
import { Timestamp } from '../../models/fields.ts';
import { text } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';
import type { Snapshot } from '../../office/snapshots.ts';

const SnapshotView = z.strictObject({
  name: z.string(),
  scenario: z.string(),
  now: Timestamp,
});

export const snapshotEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/snapshot',
    summary: 'List snapshots, oldest first',
    status: 200,
    answer: z.array(SnapshotView),
    errors: [],
    example: { url: '/_backlot/snapshot' },
    handle: ({ office }) => office().snapshots.list().map(snapshotView),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/snapshot',
    summary: 'Take a snapshot, replacing any of the same name',
    body: form({ name: text() }),
    status: 201,
    answer: SnapshotView,
    errors: ['malformed', 'invalid', 'too many'],
    example: { url: '/_backlot/snapshot', body: { name: 'before-payment' } },
    handle: ({ office, body }) => snapshotView(office().snapshot(body.name)),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/snapshot/:name/restore',
    summary: 'Restore a snapshot',
    status: 200,
    answer: SnapshotView,
    errors: ['missing'],
    example: { url: '/_backlot/snapshot/before-payment/restore' },
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
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: '/_backlot/snapshot/before-payment' },
    handle: ({ office, params }) => office().snapshots.remove(params.name),
  }),
];

function snapshotView({ name = '', state }: Snapshot): z.output<typeof SnapshotView> {
  return { name, scenario: state.start.scenario.name, now: state.clock.now };
}

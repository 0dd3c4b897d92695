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
    summary: 'List the snapshots, in the order in which they were taken',
    status: 200,
    answer: z.array(SnapshotView),
    errors: [],
    example: { url: '/_backlot/snapshot' },
    handle: ({ office }) => office().snapshots.list().map(snapshotView),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/snapshot',
    summary: 'Take a snapshot; an older one of the same name gives way',
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
    summary: 'Go back to a snapshot, any number of times',
    status: 200,
    answer: SnapshotView,
    errors: ['missing'],
    example: { url: '/_backlot/snapshot/before-payment/restore' },
    handle({ office, params }) {
      const one = office();
      one.restore(params.name);
      return snapshotView(one.snapshots.get(params.name));
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/_backlot/snapshot/:name',
    summary: 'Remove a snapshot',
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: '/_backlot/snapshot/before-payment' },
    handle: ({ office, params }) => office().snapshots.remove(params.name),
  }),
];

function snapshotView({ name = '', moment }: Snapshot): z.output<typeof SnapshotView> {
  return { name, scenario: moment.start.scenario.name, now: moment.clock.now };
}

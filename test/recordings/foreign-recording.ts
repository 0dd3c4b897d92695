import { storeApi } from '../../src/define.ts';
import { replayRecording } from '../../src/verify/replay/replay.ts';
import type { Replay } from '../../src/verify/replay/report.ts';
import { caller, openOffice } from '../support/office.ts';
import '../support/parts.ts';
import { receivedRecording, Recording } from '../support/recording.ts';

/** The headers of a message, and its other fields. */
export interface Message {
  readonly headers: readonly { readonly name: string; readonly value: unknown }[];
  readonly [name: string]: unknown;
}
/** An entry of an HTTP archive. */
export interface Entry {
  readonly request: Message & { readonly postData?: { readonly text: string } };
  readonly response: Message & { readonly content: { readonly text?: string } };
  readonly [name: string]: unknown;
}

/** What an admin does: a cart, its item as a form, two reads, and a request that is refused. */
async function recorded(): Promise<readonly Entry[]> {
  const office = openOffice();
  const recording = new Recording();
  const call = caller(
    recording.recorded((url, init) => office.fetch(url, init)),
    'https://shop.test',
  );
  await call('POST /api/orders/', { channel: 1, user: 3, currency: 'EUR' });
  await call('POST /api/orders/121/items/', 'variant=7&quantity=2&unitPrice=1500', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  await call('GET /api/orders/121');
  await call('PUT /api/checkouts/121', { paymentMethod: 1 });
  await call('GET /api/users/3');
  return recording.entries as readonly object[] as readonly Entry[];
}

/** What an admin does, as a careful program records it. */
export const entries = await recorded();

/** Replays entries as one recording. */
export function replayEntries(changed: readonly unknown[]): Promise<Replay> {
  return replayRecording(receivedRecording(changed), { api: storeApi });
}

import type { EntryView } from '../engine/office/history-view.ts';
import { sentenceOf } from '../engine/journal/sentence.ts';
import type { Summary } from './source.ts';
import type { Studio } from './studio.ts';

export type { EntryView as Entry } from '../engine/office/history-view.ts';

/** Returns a whole entry. Entries never change but for the state of their response, so they are loaded once for each. */
export function entryOf(
  studio: Studio,
  { id, at, title, state }: Summary,
): Promise<EntryView | undefined> {
  return studio.client.kept<EntryView>(
    `GET /_backlot/journal/${id}`,
    `${at} ${title} ${state ?? ''}`,
  );
}

/** Returns the state of an unsent response in words: `held`, `delayed`, `client left`; undefined if it was sent. */
export function pendingOf({ state = 'sent' }: Pick<Summary, 'state'>): string | undefined {
  return state === 'sent' || state === 'dropped' ? undefined : state.replace('-', ' ');
}

/** The status of a request in a list: `200`, `drop`, or `…` if its response was not sent. */
export function statusOf({ status }: Pick<Summary, 'status'>): number | string {
  if (status === undefined) return '…';
  return status === 0 ? 'drop' : status;
}

/** Tells in one sentence what an entry did: `You shipped order 119`. */
export function sentenceIn({ client }: Pick<Studio, 'client'>, entry: Summary): string {
  return sentenceOf(entry, client.actor);
}

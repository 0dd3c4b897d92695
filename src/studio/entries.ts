import type { EntryView } from '../engine/control/endpoints/history.ts';
import { deedOf } from '../engine/journal/deed.ts';
import { countOf } from './format.ts';
import type { Summary } from './source.ts';
import type { Studio } from './studio.ts';

export type { EntryView as Entry } from '../engine/control/endpoints/history.ts';

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

/** Tells in one sentence what an entry did: `You shipped order 119.` */
export function deedIn({ client }: Studio, entry: Summary): string {
  return deedOf(entry, client.actor);
}

/** The maximum length of a meaning in a row of a list. */
const maxBrief = 44;

/**
 * Returns the meaning of an entry in a few words, for a row: the names of the refused fields, what may have been meant,
 * or the first things that it did.
 */
export function briefOf(entry: Summary): string {
  const { outcome, meaning = '' } = entry;
  const whole = meaningOf(entry);
  const [, guess] = /Did you mean (?:\S+ )?(\/\S*)\?$/.exec(whole) ?? [];
  if (guess !== undefined) return `did you mean ${guess}?`;
  const also = whole.endsWith('.') ? whole.lastIndexOf(' Also ') : -1;
  if (also > 0) {
    const first = whole.slice(0, also).replace(/^This form should not contain /, '');
    return `${first.replace(/: .*|\.$/, '')}, ${whole.slice(also + ' Also '.length, -1)}`;
  }
  const [lead = ''] = meaning.split(', ');
  if (outcome === 'declined') return lead === '' ? whole : `${whole} · ${lead}`;
  if (outcome !== 'ok') return whole;
  const parts = whole.split(', ');
  const shown = parts.filter((_, at) => parts.slice(0, at + 1).join(', ').length <= maxBrief);
  const more = parts.length - shown.length;
  if (shown.length === 0 || more === 0) return whole;
  return [...shown, `${more} more`].join(', ');
}

/** Returns the meaning of an entry, or the reason of its refusal. */
export function meaningOf({ outcome, reason, meaning, changed }: Summary): string {
  if (outcome === 'declined')
    return reason?.includes('declined') === true ? reason : `declined: ${reason ?? ''}`;
  return reason ?? meaning ?? (changed > 0 ? countOf(changed, 'record') : '');
}

import { redactText } from './redaction.ts';
import { beginningOf } from '../lib/problem.ts';

/** A request header that says who sends the request: `ada`. Entries of the history have it. */
export const actorHeader = 'x-backlot-actor';

/** A response header with the id of the entry that the request has made in the history. */
export const entryHeader = 'x-backlot-entry';

const maxLength = 40;

/** Returns the actor of a request, if it names one. */
export function actorOf({
  [actorHeader]: actor,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  return actor === undefined || actor === ''
    ? undefined
    : redactText(beginningOf(actor, maxLength));
}

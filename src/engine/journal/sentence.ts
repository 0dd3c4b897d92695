import { truncate } from '../lib/problem.ts';
import { capitalize } from '../lib/words.ts';

/** Maximum number of characters of a sentence, and of its subject. */
const [maxSentence, maxSubject] = [60, 20];

/** The sender of an entry. */
interface Sender {
  readonly actor?: string | undefined;
  readonly client?: string | undefined;
}

/**
 * Tells in one sentence of at most 60 characters what an entry did: `checkout-web paid order 119, 54.40 EUR`,
 * `You took back: shipped order 105`, `Moved the clock +1 day: 14 carts abandoned`.
 *
 * @param me the actor that reads it
 */
export function sentenceOf(
  { meaning, ...sender }: Sender & { readonly meaning: string },
  me?: string,
): string {
  const subject = sender.actor !== undefined && sender.actor === me ? 'You' : subjectOf(sender);
  return subject === undefined ? capitalize(meaning) : `${subject} ${meaning}`;
}

/** Shortens what an entry did to what a sentence with its sender has room for: the last of its parts first. */
export function shortMeaning(text: string, sender: Sender): string {
  const subject = subjectOf(sender);
  const max = subject === undefined ? maxSentence : maxSentence - subject.length - 1;
  const end = text.lastIndexOf(', ');
  if (text.length > max && end > 0) return shortMeaning(text.slice(0, end), sender);
  return text.length > max ? truncate(text, max - 1) : text;
}

/** The name of an actor, or the program that sent a request. A page of the studio has a random name. */
function subjectOf({ actor, client }: Sender): string | undefined {
  const name = actor?.startsWith('studio ') === true ? 'Another page' : (actor ?? client);
  return name === undefined || name.length <= maxSubject ? name : truncate(name, maxSubject - 1);
}

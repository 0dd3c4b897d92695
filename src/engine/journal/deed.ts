/** The parts of an entry that its deed tells. */
interface Told {
  readonly by: string;
  readonly title: string;
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly meaning?: string | undefined;
  readonly actor?: string | undefined;
  readonly client?: string | undefined;
}

/** The beginnings of a meaning that signs stand for. A time is not added by its sender. */
const verbs = [
  [/^\+ (?![\d.]+ m?s\b)/, 'added '],
  [/^− /, 'removed '],
  [/^(?=[a-z_ ]+ \d+: |\d+ )/, 'changed '],
] as const;

/**
 * Tells in one sentence what an entry did: `You shipped order 119.`, `checkout-web added order 121.`,
 * `+1 day: 14 carts abandoned (3 h), 3 payments void.`
 *
 * @param me the actor that reads it
 */
export function deedOf(entry: Told, me?: string): string {
  const { by, title, outcome, reason, meaning } = entry;
  if (by === 'clock') return sentence(meaning ?? title);
  const who = subjectOf(entry, me);
  const words = verbs.reduce((text, [sign, verb]) => text.replace(sign, verb), meaning ?? title);
  const isVerb = /^(?:[a-z]+ed|sold|rewound|reset|set) /.test(words);
  const did = isVerb || by === 'request' ? words : `changed ${words}`;
  if (outcome === 'ok' && (isVerb || by !== 'request'))
    return sentence(who === undefined ? capitalize(did) : `${who} ${did}`);
  const result = reason ?? (outcome === 'ok' ? meaning : outcome);
  const sent = who === undefined ? title : `${who} sent ${title}`;
  return sentence(result === undefined ? sent : `${sent}: ${result}`);
}

/** `You`, the name of an actor, or the program that sent a request. A page of the studio has a random name. */
function subjectOf({ actor, client }: Told, me: string | undefined): string | undefined {
  if (actor === undefined) return client;
  if (actor === me) return 'You';
  return actor.startsWith('studio ') ? 'Another page' : actor;
}

function sentence(text: string): string {
  return /[.…]$/.test(text) ? text : `${text}.`;
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

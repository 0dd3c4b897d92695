import { Problem, truncate, beginningOf } from './problem.ts';

/** The characters of a name, which has to fit into a path, a header and a cookie. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The same in words. */
export const nameCharacters =
  'up to 64 letters, digits, dots, dashes and underscores, the first of them a letter or a digit';

/**
 * Parses the name of a session or a snapshot.
 *
 * @throws Problem `malformed` with the characters that a name can have
 */
export function parseName(name: string, what: 'session' | 'snapshot'): string {
  if (namePattern.test(name)) return name;
  const shown = JSON.stringify(truncate(name, 80));
  throw new Problem('malformed', `${shown} cannot be the name of a ${what}: ${nameCharacters}.`);
}

/**
 * Parses the id in a path.
 *
 * @throws Problem `missing` if the text is not an id
 */
export function parseId(what: string, text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Problem('missing', `There is no ${what} ${beginningOf(text, 80)}.`);
}

/**
 * Compares a secret with a sent text in a time that does not depend on where they differ. The core runs in browsers
 * too, which lack `crypto.timingSafeEqual`.
 */
export function isSameSecret(sent: string, secret: string): boolean {
  let difference = sent.length ^ secret.length;
  for (let at = 0; at < sent.length; at++) {
    difference |= sent.charCodeAt(at) ^ secret.charCodeAt(at % secret.length);
  }
  return difference === 0;
}

/** `cart, pending or released` */
export function formatAlternatives(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
}

/** A name in camelCase as words in lower case: `paymentMethods` → `payment_methods`. */
export type Snake<
  Name extends string,
  Mark extends string = '_',
> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `${Mark}${Lowercase<First>}`}${Snake<Rest, Mark>}`
  : Name;

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

import { LruCache } from '../lib/lru-cache.ts';

/** Passwords and secrets are known by any part of a name (`passwordAgain`), the others by its end (not `token_type`). */
const longName =
  /pass(word|wd|phrase)(?!_requested)|secret|(pass|pwd|token|salt|(api|access|private|auth|session)[_-]?key|sess(ion)?[_-]?id|signature|credential|authorization|cookie|cvv|cvc|security_?code|(^|[_-])auth|card_?number|card_?holder(_?name)?|expiry_?(month|year))s?\d?$/i;

/** Short ones only as a whole word of a name: `x-jwt`, `userPin`, not `shipping`, `decide` or `design`. */
const shortNames = new Set(['cid', 'csc', 'jwt', 'otp', 'pin', 'sid', 'sig']);

/** Whether values of this name are not to be kept. The same names come again and again. */
export function isSecretName(name: string): boolean {
  const known = secretNames.get(name);
  if (known !== undefined) return known;
  const isSecret = longName.test(name) || wordsOf(name).some((word) => shortNames.has(word));
  if (name.length < 40) secretNames.set(name, isSecret);
  return isSecret;
}

const secretNames = new LruCache<string, boolean>();

/** The words of a name in snake case, kebab case or camel case, without the numbers behind them: `userPIN2` has `user` and `pin`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

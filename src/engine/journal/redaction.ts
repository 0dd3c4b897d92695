import { isObject } from '../lib/json-value.ts';
import { digitsOf, passesLuhn } from '../lib/card-number.ts';
import { LruCache } from '../lib/maps.ts';

/**
 * A run of digits that is long enough for a card number, with at most one space, dash or plus between two digits. In a
 * URL, each character may be percent-encoded repeatedly: `%34` and `%2534` are 4, `%20` and `%2D` are separators.
 */
const plainRun = /\d(?:[ +-]?\d){12,}/g;
const codedRun =
  /(?:(?<!%[\da-f]?)|%(?:25)*3)\d(?:(?:[ +-]|%(?:25)*2[0bd])?(?:%(?:25)*3)?\d){12,}/gi;

const digitSeparator = /[ +-]|%(?:25)*2[0bd]/gi;
const codedDigit = /%(?:25)*3(?=\d)/g;

const [minDigits, maxDigits] = [13, 19];

/** A UUID may have such a run, but it is no card number: https://www.rfc-editor.org/rfc/rfc9562#section-4 */
const uuid = /(\b[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b)/i;

/** Masks each number of 13 to 19 digits that passes the Luhn check, except for its last four digits. UUIDs are kept. */
export function maskCardNumbers(text: string): string {
  if (text.length < minDigits) return text;
  const parts = text.split(uuid);
  return parts.map((part, at) => (at % 2 === 1 ? part : maskRuns(part))).join('');
}

function maskRuns(text: string): string {
  // In plain text, the digits of `%20` may belong to a number; in a URL they do not. Both readings are masked.
  const plain = text.includes('%') ? text.replaceAll(codedRun, maskRun) : text;
  return plain.replaceAll(plainRun, maskRun);
}

/** Any consecutive groups of a run may be a card number: `order 12 4242 4242 4242 4242`. */
function maskRun(run: string): string {
  const separators = run.match(digitSeparator) ?? [];
  const groups = run.split(digitSeparator).map((group) => group.replaceAll(codedDigit, ''));
  const covered = coveredGroups(groups);
  if (!covered.includes(true)) return run;
  let [made, digits] = ['', ''];
  for (const [at, group] of groups.entries()) {
    const isCovered = covered[at] === true;
    if (isCovered) digits += group;
    if (!isCovered || covered[at + 1] !== true) {
      made += isCovered ? maskDigits(digits) : group;
      digits = '';
      made += separators[at] ?? '';
    }
  }
  return made;
}

/** Returns for each group whether it is part of a card number. */
function coveredGroups(groups: readonly string[]): boolean[] {
  const covered = groups.map(() => false);
  for (let from = 0; from < groups.length; from++) {
    let digits = '';
    for (let to = from; to < groups.length; to++) {
      digits += groups[to]!;
      if (digits.length > maxDigits) break;
      if (digits.length >= minDigits && passesLuhn(digits)) covered.fill(true, from, to + 1);
    }
  }
  return covered;
}

/** Masks all digits except the last four. */
export function maskDigits(digits: string): string {
  return `${'*'.repeat(digits.length - 4)}${digits.slice(-4)}`;
}

/** Names whose values are secret in addition to those that are recognized: fields of a table, or of an endpoint. */
export type SecretNames = ReadonlySet<string>;

const none: SecretNames = new Set();

/** Replaces a secret. */
export const mask = '***';

/** Masks card numbers, user names in URLs, and the values of secret names (`token=…`, `"token": "…"`) in a text. */
export function redactText(text: string, names: SecretNames = none): string {
  return maskCardNumbers(maskPairs(maskJsonPairs(maskUsers(text), names), names));
}

/** Redacts a URL, or any other text. */
export function redactUrl(url: string, names: SecretNames = none): string {
  const [address, query] = /\s/.test(url) ? [url, undefined] : splitAt(url, '?');
  const path = redactText(address, names);
  return query === undefined
    ? path
    : `${path}?${query
        .split('&')
        .map((pair) => redactPair(pair, names))
        .join('&')}`;
}

/**
 * Masks the secrets in the parameters of a body. Of card numbers, the last four digits are kept.
 *
 * @returns the same object if it has no secrets
 */
export function redactParameters(
  sent: Readonly<Record<string, unknown>>,
  names: SecretNames = none,
): Readonly<Record<string, unknown>> {
  return hasSecret(sent, names) ? redactTree(sent, false, names) : sent;
}

function hasSecret(value: unknown, names: SecretNames): boolean {
  if (typeof value === 'string') return maybeSecret(value) && redactUrl(value, names) !== value;
  if (typeof value === 'number')
    return String(value).length >= minDigits && redactNumber(value) !== value;
  if (Array.isArray(value)) return value.some((one) => hasSecret(one, names));
  if (!isObject(value)) return false;
  for (const name of Object.keys(value)) {
    if (name === 'number' || isSecretName(name, names) || hasSecret(value[name], names))
      return true;
    if (name.length >= minDigits && maskCardNumbers(name) !== name) return true;
  }
  return false;
}

/** A fast test: a card number has many digits, and a named secret a separator before its value. */
function maybeSecret(text: string): boolean {
  return text.length > 3 && /[=:@]|\d(?:\D{0,9}\d){12}/.test(text);
}

/**
 * Masks the secrets in a response body. Validation errors, which are objects below a secret name, are kept.
 *
 * @returns the same lists and objects where they have no secrets
 */
export function redactResponse(value: unknown, names: SecretNames = none): unknown {
  if (typeof value === 'string') return redactUrl(value, names);
  if (typeof value === 'number') return redactNumber(value);
  if (Array.isArray(value)) {
    const shown = value.map((one) => redactResponse(one, names));
    return shown.some((one, at) => one !== value[at]) ? shown : value;
  }
  return isObject(value) ? redactRecord(value, names) : value;
}

/** Masks the secrets in an object of a response body. @returns the same object if it has none */
export function redactRecord(
  record: Readonly<Record<string, unknown>>,
  names: SecretNames = none,
): Readonly<Record<string, unknown>> {
  const keys = Object.keys(record);
  const shown = keys.map((name): readonly [string, unknown] => {
    const one = record[name];
    const isSecret = isSecretName(name, names) && typeof one !== 'object';
    const value = isSecret ? redactUnder(one, true, names) : redactResponse(one, names);
    return [maskCardNumbers(name), value];
  });
  const isSame = keys.every((name, at) => shown[at]?.[0] === name && shown[at][1] === record[name]);
  return isSame ? record : Object.fromEntries(shown);
}

/** Masks the secrets in the headers of a request or a response. */
export function redactHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const redacted: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    redacted[maskCardNumbers(name)] = isSecretName(name) ? mask : redactUrl(value);
  }
  return redacted;
}

/** Masks a value. Everything below a secret name is secret. */
function redactUnder(value: unknown, secret: boolean, names: SecretNames): unknown {
  if (Array.isArray(value)) return value.map((one) => redactUnder(one, secret, names));
  if (typeof value === 'object' && value !== null) return redactTree(value, secret, names);
  if (secret) return value === '' || value === null || value === undefined ? value : mask;
  if (typeof value === 'string') return redactUrl(value, names);
  return typeof value === 'number' ? redactNumber(value) : value;
}

function redactTree(tree: object, secret: boolean, names: SecretNames): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]: [string, unknown]) => [
      maskCardNumbers(name),
      name === 'number'
        ? redactNumberField(value, names)
        : redactUnder(value, secret || isSecretName(name, names), names),
    ]),
  );
}

function redactNumberField(value: unknown, names: SecretNames): unknown {
  if (value === '' || value === null || value === undefined) return value;
  if (typeof value !== 'string' && typeof value !== 'number')
    return redactUnder(value, true, names);
  return redactCardNumber(String(value));
}

function redactNumber(value: number): unknown {
  const text = String(value);
  if (text.length < minDigits) return value;
  // Above 2^53, digits are lost to rounding, so the check digit is unknown.
  if (!Number.isSafeInteger(value) && Math.abs(value) > 2 ** 53) return mask;
  const shown = maskCardNumbers(text);
  return shown === text ? value : shown;
}

/** Masks a parameter `number`, which is that of a card even if it is invalid. */
function redactCardNumber(text: string): string {
  const digits = digitsOf(text);
  return /^\d{12,}$/.test(digits) ? maskDigits(digits) : mask;
}

function redactPair(pair: string, names: SecretNames): string {
  const [name, value] = splitAt(pair, '=');
  if (value === undefined) return redactText(pair, names);
  if (isSecretPath(name, names)) return value === '' ? pair : `${name}=${mask}`;
  if (value !== '' && isCardField(name)) return `${name}=${redactCardNumber(decoded(value))}`;
  return `${maskCardNumbers(name)}=${redactValue(value, names)}`;
}

/** Decodes a value up to three times, since a value may be encoded repeatedly. */
function redactValue(value: string, names: SecretNames): string {
  let text = value;
  let isChanged = false;
  for (let level = 0; level < 3; level++) {
    text = decoded(text);
    const shown = redactText(text, names);
    isChanged ||= shown !== text;
    text = shown;
    if (!text.includes('%')) break;
  }
  return isChanged ? encodeURIComponent(text) : value;
}

/** Whether a parameter is the number of a card. In the filters of lists, it is that of an order. */
function isCardField(name: string): boolean {
  const path = pathOf(name);
  return path.at(-1) === 'number' && path[0] !== 'criteria' && path[0] !== 'sorting';
}

function isSecretPath(name: string, names: SecretNames): boolean {
  return pathOf(name).some((one) => isSecretName(one, names));
}

/** Splits a parameter name: `card[number]` is `card`, `number`. */
function pathOf(name: string): string[] {
  return decoded(name).replaceAll(']', '').split('[');
}

/** Masks user and password in a URL: `https://ada:secret@shop.test/`. */
function maskUsers(text: string): string {
  return text.includes('@') ? text.replaceAll(/\/\/[^/@\s]+@/g, `//${mask}@`) : text;
}

function maskPairs(text: string, names: SecretNames): string {
  if (!text.includes('=')) return text;
  let made = '';
  let from = 0;
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at + 1)) {
    if (at < from || !isSecretPath(nameBefore(text, at), names)) continue;
    made += `${text.slice(from, at + 1)}${mask}`;
    from = endOf(text, at + 1);
  }
  return made === '' ? text : made + text.slice(from);
}

/** Returns the name of a value, which ends at an index. A regular expression would look for its end from each letter. */
function nameBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && !/[\s?#;&=,/"'<>]/.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end);
}

/** Returns the index at which a value ends. */
function endOf(text: string, from: number): number {
  const end = /[&;\s"'<>]/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

/** Masks the secrets in JSON, even if it is cut off. */
function maskJsonPairs(text: string, names: SecretNames): string {
  if (!text.includes('"')) return text;
  return text.replaceAll(
    /"(\w[\w.-]*)"\s*:\s*(?:"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d[\w.+-]*)/g,
    (pair, name: string) => (isSecretName(name, names) ? `"${name}":"${mask}"` : pair),
  );
}

/** Splits a text at the first occurrence of a separator. */
function splitAt(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Bytes that are not UTF-8 are left encoded.
    return spaced.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
}

/** Passwords and secrets are recognized by any part of a name (`passwordAgain`), others by its end (not `token_type`). */
const longName =
  /pass(word|wd|phrase)(?!_requested)|secret|(pass|pwd|token|salt|(api|access|private|auth|session)[_-]?key|sess(ion)?[_-]?id|signature|credential|authorization|cookie|cvv|cvc|security_?code|(^|[_-])auth|card_?number|card_?holder(_?name)?|expiry_?(month|year))s?\d?$/i;

/** Short names are recognized only as a word of a name: `x-jwt`, `userPin`, not `shipping`, `decide` or `design`. */
const shortNames = new Set(['cid', 'csc', 'jwt', 'otp', 'pin', 'sid', 'sig']);

/** Whether the values of a name are secret. Memoized, since the same names recur. */
function isSecretName(name: string, names: SecretNames = none): boolean {
  if (names.has(name)) return true;
  const known = secretNames.get(name);
  if (known !== undefined) return known;
  const isSecret = longName.test(name) || wordsOf(name).some((word) => shortNames.has(word));
  if (name.length < 40) secretNames.set(name, isSecret);
  return isSecret;
}

const secretNames = new LruCache<string, boolean>();

/** Splits a name in snake, kebab or camel case into words without digits: `userPIN2` has `user` and `pin`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

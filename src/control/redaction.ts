import { digitsOf, isCardNumber } from '../checkout/card.ts';
import { Recent } from '../recent.ts';

/** What stands where a secret stood. */
export const hidden = '***';

/** Passwords and secrets are told by any part of their name (`passwordAgain`), the others by its end (not `token_type`). */
const secretName =
  /pass(word|wd|phrase)(?!_requested)|secret|(pass|pwd|token|salt|api[_-]?key|authorization|cookie|cvv|cvc|security_?code|card_?number|card_?holder(_?name)?|expiry_?(month|year))\d?$/i;

/** Whether values of this name are not to be kept. The same names come again and again. */
function isSecretName(name: string): boolean {
  const known = secretNames.get(name);
  if (known !== undefined) return known;
  const isSecret = secretName.test(name);
  if (name.length < 40) secretNames.set(name, isSecret);
  return isSecret;
}

const secretNames = new Recent<string, boolean>();

/**
 * The parameters of a body, as they may be kept: without passwords and tokens, and of cards the last four digits. Where
 * there are none, they are what was sent itself.
 */
export function withoutSecrets(
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return hasSecret(sent) ? maskedTree(sent, false) : sent;
}

function hasSecret(value: unknown): boolean {
  if (typeof value === 'string') return isCard(value);
  if (typeof value === 'number') return value > 9_999_999_999_999 && isCard(String(value));
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasSecret);
  const tree = value as Readonly<Record<string, unknown>>;
  return Object.keys(tree).some(
    (name) => name === 'number' || isSecretName(name) || hasSecret(tree[name]),
  );
}

/** An answer as it may be shown: its tokens, and what stands for passwords, hidden. What is wrong with them is not. */
export function shownAnswer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownAnswer);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: [string, unknown]) => [
      name,
      isSecretName(name) && typeof one !== 'object' ? masked(one, true) : shownAnswer(one),
    ]),
  );
}

/** A refusal may repeat what was sent. */
export function shownRefusal(text: string): string {
  return text.replaceAll(/\d{14,19}/g, maskedText);
}

/** The same for an answer that is no JSON, wherever it ends. */
export function shownText(text: string): string {
  return text.replaceAll(
    /"(\w+)"\s*:\s*(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\w.+-]*)/g,
    (pair, name: string) => (isSecretName(name) ? `"${name}":"${hidden}"` : pair),
  );
}

/** A path and its query. */
export function shownUrl(url: string): string {
  const [address, query] = halves(url, '?');
  const path = /\d{12}/.test(address)
    ? address
        .split('/')
        .map((part) => maskedText(part))
        .join('/')
    : address;
  return query === undefined ? path : `${path}?${query.split('&').map(shownPair).join('&')}`;
}

/** The headers of a request, or of an answer. */
export function withoutSecretHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    kept[name] = isSecretName(name) ? hidden : name === 'referer' ? shownUrl(value) : value;
  }
  return kept;
}

function shownPair(pair: string): string {
  const [name, value] = halves(pair, '=');
  if (value === undefined) return pair;
  const plain = decoded(name).replaceAll(']', '').split('[');
  if (plain.some(isSecretName)) return value === '' ? pair : `${name}=${hidden}`;
  const text = decoded(value);
  const shown = isCardField(plain) ? String(maskedNumber(text)) : maskedText(text);
  return shown === text ? pair : `${name}=${shown}`;
}

/** What stands before the first of these marks, and all that stands behind it. */
function halves(text: string, mark: string): [before: string, behind: string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Orders have numbers, too; lists are asked for by them. */
function isCardField(path: readonly string[]): boolean {
  return path.at(-1) === 'number' && path[0] !== 'criteria' && path[0] !== 'sorting';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Whatever is below a secret name is secret. */
function masked(value: unknown, secret: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => masked(one, secret));
  if (typeof value === 'object' && value !== null) {
    return maskedTree(value, secret);
  }
  if (secret) return value === '' || value === null || value === undefined ? value : hidden;
  if (typeof value === 'string') return maskedText(value);
  return typeof value === 'number' && isCard(String(value)) ? maskedText(String(value)) : value;
}

function maskedTree(tree: object, secret: boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]: [string, unknown]) => [
      name,
      name === 'number' ? maskedNumber(value) : masked(value, secret || isSecretName(name)),
    ]),
  );
}

/** A parameter `number` is that of a card, even where it is none that there can be. */
function maskedNumber(value: unknown): unknown {
  if (value === '' || value === null || value === undefined) return value;
  if (typeof value !== 'string' && typeof value !== 'number') return masked(value, true);
  const digits = digitsOf(String(value));
  return /^\d{12,}$/.test(digits) ? lastFour(digits) : hidden;
}

function maskedText(text: string): string {
  return isCard(text) ? lastFour(digitsOf(text)) : text;
}

/** Shorter ones, as of articles, are numbers of other things. */
function isCard(text: string): boolean {
  return text.length > 13 && /^\d[\d -]{12,21}\d$/.test(text) && isCardNumber(text);
}

function lastFour(digits: string): string {
  return `${'*'.repeat(digits.length - 4)}${digits.slice(-4)}`;
}

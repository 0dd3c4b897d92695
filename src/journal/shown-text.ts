import { digitsOf } from '../checkout/card.ts';
import { maskDigits, maskCardNumbers } from './card-numbers.ts';
import { isSecretName } from './secret-names.ts';

/** What stands where a secret stood. */
export const mask = '***';

/** A text without card numbers and without the values of pairs that name a secret: `token=…`, `"token": "…"`. */
export function redactText(text: string): string {
  return maskCardNumbers(withoutPairs(withoutJsonPairs(withoutUsers(text))));
}

/** A path with its query, or any other text. */
export function redactUrl(url: string): string {
  const [address, query] = /\s/.test(url) ? [url, undefined] : halves(url, '?');
  const path = redactText(address);
  return query === undefined ? path : `${path}?${query.split('&').map(shownPair).join('&')}`;
}

/** A parameter `number` is that of a card, even if it is not valid. */
export function redactCardNumber(text: string): string {
  const digits = digitsOf(text);
  return /^\d{12,}$/.test(digits) ? maskDigits(digits) : mask;
}

function shownPair(pair: string): string {
  const [name, value] = halves(pair, '=');
  if (value === undefined) return redactText(pair);
  if (isSecretPath(name)) return value === '' ? pair : `${name}=${mask}`;
  if (value !== '' && isCardField(name)) return `${name}=${redactCardNumber(decoded(value))}`;
  return `${maskCardNumbers(name)}=${shownValue(value)}`;
}

/** What is encoded several times is read as often. */
function shownValue(value: string): string {
  let text = value;
  let isChanged = false;
  for (let level = 0; level < 3; level++) {
    text = decoded(text);
    const shown = redactText(text);
    isChanged ||= shown !== text;
    text = shown;
    if (!text.includes('%')) break;
  }
  return isChanged ? encodeURIComponent(text) : value;
}

/** Orders have numbers, too, and lists are filtered by them. */
function isCardField(name: string): boolean {
  const path = pathOf(name);
  return path.at(-1) === 'number' && path[0] !== 'criteria' && path[0] !== 'sorting';
}

function isSecretPath(name: string): boolean {
  return pathOf(name).some(isSecretName);
}

/** `card[number]` is `card`, `number`. */
function pathOf(name: string): string[] {
  return decoded(name).replaceAll(']', '').split('[');
}

/** A URL may begin with a user and a password: `https://ada:secret@shop.test/`. */
function withoutUsers(text: string): string {
  return text.includes('@') ? text.replaceAll(/\/\/[^/@\s]*@/g, `//${mask}@`) : text;
}

function withoutPairs(text: string): string {
  if (!text.includes('=')) return text;
  let made = '';
  let from = 0;
  for (const { 0: start, 1: name = '', index } of text.matchAll(/([^\s?#;&=,/"'<>]+)=/g)) {
    if (index < from || !isSecretPath(name)) continue;
    const value = index + start.length;
    made += `${text.slice(from, value)}${mask}`;
    from = endOf(text, value);
  }
  return made === '' ? text : made + text.slice(from);
}

/** Where a value ends. */
function endOf(text: string, from: number): number {
  const mark = /[&;\s"'<>]/g;
  mark.lastIndex = from;
  return mark.exec(text)?.index ?? text.length;
}

/** The pairs of JSON, even of JSON that breaks off. */
function withoutJsonPairs(text: string): string {
  if (!text.includes('"')) return text;
  return text.replaceAll(
    /"(\w[\w.-]*)"\s*:\s*(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\w.+-]*)/g,
    (pair, name: string) => (isSecretName(name) ? `"${name}":"${mask}"` : pair),
  );
}

/** What stands before the first of these marks, and all that stands behind it. */
function halves(text: string, mark: string): [before: string, behind: string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Whatever is not UTF-8 stays as it is.
    return spaced.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
}

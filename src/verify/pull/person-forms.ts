import { isIP, isIPv6 } from 'node:net';
import { maskCardNumbers } from '../../engine/journal/redaction.ts';

/** Forms of texts that are about a person, each with a text of normal characters. */
const forms: readonly (readonly [form: string, test: (text: string) => boolean])[] = [
  ['an e-mail address', (text) => /[^\s@]@(?!\dx\.)[^\s@.][^\s@]*\.\p{L}/u.test(text)],
  ['a card number', (text) => maskCardNumbers(text) !== text],
  ['an IP address', hasAddress],
  ['a phone number', hasPhone],
];

/** Returns the form that a text has, in any of its readings. */
export function personForm(text: string, isCode: boolean): string | undefined {
  const plain = normal(text);
  // The digits of a code may be those of a phone number.
  const isNumber = isCode && !/\s/.test(plain);
  return forms.find(([form, test]) => !(isNumber && form.includes('number')) && test(plain))?.[0];
}

/** Returns a text, and what it says in base64, percent-encoding, and references of HTML. */
export function readingsOf(text: string): string[] {
  const plain = text
    .replaceAll(/&#(\d{1,7});/g, (_, code: string) => characterOf(Number(code)))
    .replaceAll(/&#x([\da-f]{1,6});|\\u([\da-f]{4})/gi, (_, one?: string, other?: string) =>
      characterOf(Number.parseInt(one ?? other ?? '', 16)),
    )
    .replaceAll('&commat;', '@')
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
    );
  const words = text.match(/[\w+/-]{4,}={0,2}/g) ?? [];
  const parts = words.flatMap((word) => [word, ...word.split(/[/+_-]/).filter(isLong)]);
  const decoded = new Set(parts.map(textOfBase64).filter((one) => one !== ''));
  return [...new Set([text, plain]), ...decoded];
}

function isLong(part: string): boolean {
  return part.length >= 8;
}

function characterOf(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

/** Returns the text that base64 has, empty if it has none. */
function textOfBase64(word: string): string {
  const text = Buffer.from(word, 'base64').toString();
  return /[\p{Cc}\uFFFD]/u.test(text.replaceAll(/\s/g, ' ')) ? '' : text;
}

/** Returns a text with usual digits, spaces, dashes and signs. */
function normal(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}+/gu, '')
    .replaceAll(/(?![0-9])\p{Nd}/gu, digitOf)
    .replaceAll(/\p{Pd}|\u2212/gu, '-')
    .replaceAll(/[\p{Zs}\t]/gu, ' ')
    .replaceAll(/ ?[([{] ?at ?[)\]}] ?/gi, '@')
    .replaceAll(/ ?[([{] ?dot ?[)\]}] ?/gi, '.');
}

/** Returns the digit of a character of another script: the ten of each begin at 0 or 6 of a row of 16. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const isFirst = /\p{Nd}/u.test(String.fromCodePoint(code & ~15));
  return String((code & 15) - (isFirst ? 0 : 6));
}

/** Number of characters of the longest IP address, with a word before it. */
const maxAddress = 64;

function hasAddress(text: string): boolean {
  const ipv4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?!\.?\d)/g;
  for (const [address] of text.matchAll(ipv4))
    if (address.split('.').every((part) => Number(part) <= 255)) return true;
  return text
    .split(/[^\p{L}\d:.]+/u)
    .filter((word) => word.length <= maxAddress && word.includes(':') && /\d/.test(word))
    .some((word) => isIPv6(word.replace(/^[^:g-z]*[g-z][^:]*:/i, '').replace(/[.:]$/, '')));
}

/** Whether a text is an IP address, and nothing else. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** Words before a phone number, with at most two short ones between. */
const call =
  /(?:(?<!\p{L})(?:tel|telefon\p{L}{0,4}|t[eé]l[eé]phone|phone|fon|fax|mobil\p{L}{0,5}|m[oó]vil|cell?|celular|call|ring|dial|sms|whatsapp|hotline|handy|puh|тел|моб|телефон|هاتف)|電話|电话|전화|[\u260E\u260F\u2706\u{1F4DE}\u{1F4F1}])(?: \p{L}{1,3}){0,2}[\uFE0F .:/#-]{0,3}$/iu;

/** Numbers of other things: dates, ISBN and EAN. */
const otherNumbers =
  /(?<![\d.+])(?:(?:19|20)\d\d([./-])[01]?\d\1[0-3]?\d|[0-3]?\d([./-])[0-3]?\d\2(?:19|20)\d\d|97[89]\d{10}|97[89]([ -])\d{1,5}\3\d{1,7}\3\d{1,7}\3\d|\d{1,5}-\d{1,7}-\d{1,7}-[\dX])(?!\d)|(?<!\p{L})(?:ean|gtin|upc|isbn|issn)\S{0,3}[ :#-]{0,3}\d[\d -]{6,16}/giu;

/** Groups of digits with what is usual between two groups of a phone number. */
const groups = /(?:(?<![\p{L}\p{N}_+])\+ ?)?\(?(?<![\p{L}\p{N}_])\d+(?:[ ()./·-]{1,3}\d+)*/gu;

/** Number of digits of the longest phone number. */
const maxDigits = 15;

/**
 * Whether a text has a phone number: with a country, with an area code in brackets or with a leading zero, after a word such as
 * "Tel.", of 9 to 12 digits in groups as in many countries, or of 9 to 11 digits without groups.
 */
function hasPhone(text: string): boolean {
  const plain = text.replaceAll(otherNumbers, '#');
  for (const { 0: run, index } of plain.matchAll(groups)) {
    const before = plain.slice(Math.max(0, index - 24), index);
    const pieces = [run, ...run.split(/ [/-] | {2,}/)];
    if (call.test(before) && lengthOf(run.match(/\d+/g) ?? []) >= 6) return true;
    if (pieces.some((piece) => isPhone(piece, before))) return true;
  }
  return false;
}

function isPhone(run: string, before: string): boolean {
  const parts = run.match(/\d+/g) ?? [];
  const count = lengthOf(parts);
  if (count >= 7 && (run.startsWith('+') || /\(\d{1,5}\)[ ./-]{0,3}\d/.test(run))) return true;
  if (parts.length === 1 && (/[=/_#&?+-]$/.test(before) || run.startsWith('000'))) return false;
  const shape = parts.map(({ length }) => length).join(' ');
  if (shape === '4 4') return false;
  return hasZero(run) || (!isSizes(parts) && isGrouped(run, parts, shape));
}

/** Whether groups of digits begin with the zero of a long-distance call, which is that of no decimal. */
function hasZero(run: string): boolean {
  for (const { index } of run.matchAll(/(?<![\d.])0(?!00|[.])(?:\d|[ /-])/g))
    if (lengthOf(run.slice(index, index + 4 * maxDigits).match(/\d+/g) ?? []) >= 8) return true;
  return false;
}

/** Whether groups of digits are a number as in many countries: no amounts, and no range. */
function isGrouped(run: string, parts: readonly string[], shape: string): boolean {
  if (/(?<!\d)[2-9]\d\d[ .-]\d{3}[ .-]\d{4}(?!\d)/.test(run)) return true;
  const isMixed = (run.includes('.') && run.includes(' ')) || /\/.*\//.test(run);
  if (isMixed || isRange(run, parts)) return false;
  const { length } = parts.join('');
  if (parts.length === 1) return length >= 9 && length <= 11;
  if (shape === '2 2 2 2' || shape === '3 2 3') return true;
  return length >= 9 && length <= 12 && parts.length <= 6 && parts.every((one) => one.length <= 5);
}

/** Returns the number of digits of some groups, as many as a phone number may have; 0 if the first has more. */
function lengthOf(parts: readonly string[]): number {
  let count = 0;
  for (const part of parts.slice(0, maxDigits)) {
    if (count + part.length > maxDigits) break;
    count += part.length;
  }
  return count;
}

/** Whether groups are sizes: `36 38 40 42`, `250 500 1000`. */
function isSizes(parts: readonly string[]): boolean {
  const steps = parts.slice(1).map((part, at) => Number(part) - Number(parts[at]));
  const isEven = steps.every((step) => step === steps[0] && step <= 10);
  const isRound = parts.every((part) => part.endsWith('0'));
  return steps.length > 1 && steps.every((step) => step > 0) && (isEven || isRound);
}

/** Whether groups are a range: `10000-20000`. */
function isRange(run: string, [from = '', to = '', ...others]: readonly string[]): boolean {
  return others.length === 0 && run === `${from}-${to}` && from.length === to.length && from < to;
}

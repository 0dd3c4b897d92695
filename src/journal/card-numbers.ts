/**
 * A run of digits that is long enough for a card number, with at most one space, dash or plus between two digits. In a
 * URL, each character may be percent-encoded repeatedly: `%34` and `%2534` are 4, `%20` and `%2D` are separators.
 */
const plainRun = /\d(?:[ +-]?\d){12,}/g;
const codedRun =
  /(?:(?<!%[\da-f]?)|%(?:25)*3)\d(?:(?:[ +-]|%(?:25)*2[0bd])?(?:%(?:25)*3)?\d){12,}/gi;

const separator = /[ +-]|%(?:25)*2[0bd]/gi;
const codedDigit = /%(?:25)*3(?=\d)/g;

const [minDigits, maxDigits] = [13, 19];

/** Masks each number of 13 to 19 digits that passes the Luhn check, except for its last four digits. */
export function maskCardNumbers(text: string): string {
  if (text.length < minDigits) return text;
  // In plain text, the digits of `%20` may belong to a number; in a URL they do not. Both readings are masked.
  const plain = text.includes('%') ? text.replaceAll(codedRun, maskRun) : text;
  return plain.replaceAll(plainRun, maskRun);
}

/** Any consecutive groups of a run may be a card number: `order 12 4242 4242 4242 4242`. */
function maskRun(run: string): string {
  const separators = run.match(separator) ?? [];
  const groups = run.split(separator).map((group) => group.replaceAll(codedDigit, ''));
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

/** Verifies the check digit of a card number: https://en.wikipedia.org/wiki/Luhn_algorithm */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const value = digits.charCodeAt(digits.length - 1 - at) - 48;
    const weighted = at % 2 === 0 ? value : value * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** Masks all digits except the last four. */
export function maskDigits(digits: string): string {
  return `${'*'.repeat(digits.length - 4)}${digits.slice(-4)}`;
}

/**
 * A run of digits with at most one space, dash or plus between two of them, long enough for a card number. In a URL
 * each of these may be percent-encoded, even several times: `%34` and `%2534` are 4, `%20` and `%2D` stand between.
 */
const plainRun = /\d(?:[ +-]?\d){12,}/g;
const codedRun =
  /(?:(?<!%[\da-f]?)|%(?:25)*3)\d(?:(?:[ +-]|%(?:25)*2[0bd])?(?:%(?:25)*3)?\d){12,}/gi;

const separator = /[ +-]|%(?:25)*2[0bd]/gi;
const codedDigit = /%(?:25)*3(?=\d)/g;

const [fewest, most] = [13, 19];

/** The text with every number of 13 to 19 digits that passes the Luhn check masked: only its last four digits stay. */
export function maskCardNumbers(text: string): string {
  if (text.length < fewest) return text;
  // The two digits of `%20` may belong to what follows in a plain text, and never do in a URL: both are looked at.
  const plain = text.includes('%') ? text.replaceAll(codedRun, maskedRun) : text;
  return plain.replaceAll(plainRun, maskedRun);
}

/** Any groups of a run that follow each other may be a card number: `order 12 4242 4242 4242 4242`. */
function maskedRun(run: string): string {
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

/** Which groups are part of a card number. */
function coveredGroups(groups: readonly string[]): boolean[] {
  const covered = groups.map(() => false);
  for (let from = 0; from < groups.length; from++) {
    let digits = '';
    for (let to = from; to < groups.length; to++) {
      digits += groups[to]!;
      if (digits.length > most) break;
      if (digits.length >= fewest && passesLuhn(digits)) covered.fill(true, from, to + 1);
    }
  }
  return covered;
}

/** The check digit of card numbers: https://en.wikipedia.org/wiki/Luhn_algorithm */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const value = digits.charCodeAt(digits.length - 1 - at) - 48;
    const weighted = at % 2 === 0 ? value : value * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** A number in which only the last four digits stay. */
export function maskDigits(digits: string): string {
  return `${'*'.repeat(digits.length - 4)}${digits.slice(-4)}`;
}

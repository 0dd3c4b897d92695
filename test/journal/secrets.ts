import fc from 'fast-check';

/** A card number of 13 to 19 digits that passes the Luhn check, in plain digits. */
export const cardDigits: fc.Arbitrary<string> = fc
  .stringMatching(/^[2-6]\d{11,17}$/)
  .map((digits) => `${digits}${checkDigit(digits)}`);

function checkDigit(digits: string): number {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Spellings of a card number by people. */
export const spelling: fc.Arbitrary<(digits: string) => string> = fc.constantFrom(
  (digits: string) => digits,
  (digits: string) => digits.replaceAll(/\d{4}(?=\d)/g, '$& '),
  (digits: string) => digits.replaceAll(/\d{4}(?=\d)/g, '$&-'),
  (digits: string) => digits.replaceAll(/\d{3}(?=\d)/g, '$& '),
  (digits: string) => Array.from(digits).join('-'),
);

/** Encodings of a card number in URLs. */
export const coding: fc.Arbitrary<(text: string) => string> = fc.constantFrom(
  encodeURIComponent,
  (text: string) => encodeURIComponent(text).replaceAll('%20', '+'),
  (text: string) => encodeURIComponent(text).replaceAll('-', '%2d'),
  (text: string) => encodeURIComponent(encodeURIComponent(text)),
  (text: string) =>
    Array.from(text, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
);

/** Returns a text decoded and without the separators between digits. */
export function digitsIn(text: string): string {
  let plain = text;
  for (let level = 0; level < 3; level++) {
    plain = plain.replaceAll(/%[\da-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
  }
  return plain.replaceAll(/(?<=\d)[ +-](?=\d)/g, '');
}

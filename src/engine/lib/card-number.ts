/** The card of tests, which payment providers publish and approve. */
export const testCard = '4242424242424242';

/** Returns the number of a card without its spaces and dashes. */
export function digitsOf(number: string): string {
  return number.replaceAll(/[ -]/g, '');
}

/** Whether a text is a card number: 12 to 19 digits, perhaps with spaces or dashes, that pass the Luhn check. */
export function isCardNumber(text: string): boolean {
  const digits = digitsOf(text);
  return /^\d{12,19}$/.test(digits) && passesLuhn(digits);
}

/** Verifies the check digit of a card number: https://en.wikipedia.org/wiki/Luhn_algorithm */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const value = digits.charCodeAt(digits.length - 1 - at) - 48;
    const weighted = at % 2 === 0 ? value : value * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

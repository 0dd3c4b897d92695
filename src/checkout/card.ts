import { toDate } from '../lib/duration.ts';
import type { PaymentOutcome } from '../models/script-rule.ts';

/** A card as a customer gives it. Only its last four digits are stored. */
export interface Card {
  readonly type: string;
  readonly cardholderName: string;
  readonly number: string;
  readonly securityCode: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
}

/** The outcome of a purchase, and the reason. */
export interface Outcome {
  readonly outcome: PaymentOutcome;
  readonly reason?: string | undefined;
}

/** The test numbers that payment providers publish, with their outcomes. Any other number is approved. */
export const testCards: Readonly<Record<string, Outcome>> = {
  '4242424242424242': { outcome: 'approved' },
  '4000000000000002': { outcome: 'declined', reason: 'card declined' },
  '4000000000009995': { outcome: 'declined', reason: 'insufficient funds' },
  '4000000000009987': { outcome: 'declined', reason: 'lost card' },
  '4000000000009979': { outcome: 'declined', reason: 'stolen card' },
  '4000000000000069': { outcome: 'declined', reason: 'expired card' },
  '4000000000000127': { outcome: 'declined', reason: 'incorrect security code' },
  '4000000000000119': { outcome: 'declined', reason: 'processing error' },
  '4000000000006975': { outcome: 'declined', reason: 'card used too often' },
  '4100000000000019': { outcome: 'declined', reason: 'fraudulent' },
};

export function outcomeOfCard({ number }: Pick<Card, 'number'>): Outcome {
  return testCards[digitsOf(number)] ?? { outcome: 'approved' };
}

export function lastFour({ number }: Pick<Card, 'number'>): string {
  return digitsOf(number).slice(-4);
}

/** Whether a text is a card number: 12 to 19 digits, perhaps with spaces or dashes, that pass the Luhn check. */
export function isCardNumber(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^\d{12,19}$/.test(digits)) return false;
  const total = Array.from(digits)
    .toReversed()
    .map((digit, position) => Number(digit) * (position % 2 === 0 ? 1 : 2))
    .reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0);
  return total % 10 === 0;
}

/** The years in which a card can expire: this year to twenty years from now. */
export function expiryYearRange(now: string): { readonly from: number; readonly to: number } {
  const year = toDate(now).getUTCFullYear();
  return { from: year, to: year + 20 };
}

export function digitsOf(number: string): string {
  return number.replaceAll(/[ -]/g, '');
}

import { testCard } from '../../engine/lib/card-number.ts';
import type { Studio } from '../studio.ts';

/** The mask in place of a secret in the journal, with the last digits of a card number at most. */
export const masked = /"(\*{3}|\*{9,}\d{4})"/;

/** A test card that is always approved. */
const card = (studio: Studio): Readonly<Record<string, unknown>> => ({
  number: testCard,
  securityCode: '123',
  cardholderName: 'Ada Lovelace',
  expiryMonth: 12,
  expiryYear: Number(studio.preview.clock?.now.slice(0, 4)) + 3,
});

/** Returns a recorded body to send again: with a test card, and without other secrets. */
export function unmasked(studio: Studio, body: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(body ?? null), (name, value: unknown) =>
    masked.test(JSON.stringify(value) ?? '') && typeof value === 'string'
      ? (card(studio)[name] ?? '')
      : value,
  );
  return copy;
}

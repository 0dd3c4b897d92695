import * as z from 'zod';

/** A currency code of three capital letters. */
export const CurrencyCode = z.string().regex(/^[A-Z]{3}$/, 'expected a code like EUR');

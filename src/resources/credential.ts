import { pseudoRandomBytes } from '../lib/pseudo-random.ts';

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Returns a salt of 31 base-36 characters, derived from the seed and the e-mail address. */
export function saltOf(seed: number, email: string): string {
  const bytes = pseudoRandomBytes(`${seed} salt ${email}`, 31);
  return String.fromCharCode(...bytes.map((byte) => base36.charCodeAt(byte % 36)));
}

/** Returns a mock password hash: 64 bytes in base64, derived from the seed, the salt and the password. */
export function hashPassword(seed: number, salt: string, plainPassword: string): string {
  return base64(pseudoRandomBytes(`${seed} password ${salt} ${plainPassword}`, 64));
}

/** Returns a token of 43 URL-safe characters, derived from the seed and a purpose. */
export function tokenOf(seed: number, purpose: string): string {
  return base64(pseudoRandomBytes(`${seed} token ${purpose}`, 32))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function base64(bytes: readonly number[]): string {
  return btoa(String.fromCharCode(...bytes));
}

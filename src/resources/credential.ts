import { pseudoRandomBytes } from '../lib/pseudo-random.ts';

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz';

/** A salt of 31 characters of base 36, of one seed and one user's e-mail. */
export function saltOf(seed: number, email: string): string {
  const bytes = pseudoRandomBytes(`${seed} salt ${email}`, 31);
  return String.fromCharCode(...bytes.map((byte) => base36.charCodeAt(byte % 36)));
}

/** What stands for a hashed password: base64 of 64 bytes, computed from the seed, the salt and the password. */
export function hashPassword(seed: number, salt: string, plainPassword: string): string {
  return base64(pseudoRandomBytes(`${seed} password ${salt} ${plainPassword}`, 64));
}

/** A confirmation token of 43 URL-safe characters. */
export function tokenOf(seed: number, purpose: string): string {
  return base64(pseudoRandomBytes(`${seed} token ${purpose}`, 32))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function base64(bytes: readonly number[]): string {
  return btoa(String.fromCharCode(...bytes));
}

/**
 * Returns pseudo-random bytes that depend only on the seed, so that the same seed generates the same shop on every runtime.
 * Not for secrets.
 */
export function pseudoRandomBytes(seed: string, length: number): readonly number[] {
  const next = generator(seed);
  const bytes: number[] = [];
  while (bytes.length < length) bytes.push(next() >>> 24);
  return bytes;
}

/** Returns a function that generates numbers from 0 (included) to 1 (excluded), the same for the same seed. */
export function pseudoRandom(seed: string): () => number {
  const next = generator(seed);
  return () => (next() >>> 0) / 2 ** 32;
}

/** Returns an sfc32 generator of signed 32-bit integers, whose state is hashed from the seed. */
function generator(seed: string): () => number {
  let [a, b, c] = [hash(seed, 1), hash(seed, 2), hash(seed, 3)];
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum;
  };
  for (let turn = 0; turn < 12; turn++) next();
  return next;
}

/** FNV-1a with a final mix. */
function hash(seed: string, salt: number): number {
  let value = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1);
  for (let index = 0; index < seed.length; index++) {
    value = Math.imul(value ^ seed.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}

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

/** Returns a digest of a text, the same in Node.js and in pages: 24 characters. Not for secrets. */
export function digestOf(text: string): string {
  return base64(pseudoRandomBytes(text, 16));
}

function base64(bytes: readonly number[]): string {
  return btoa(String.fromCharCode(...bytes));
}

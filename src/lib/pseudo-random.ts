/**
 * Bytes that look random and depend on nothing but the words given, so that the same seed makes the same shop on every
 * runtime. Not for secrets.
 */
export function pseudoRandomBytes(words: string, length: number): readonly number[] {
  const next = generator(words);
  const bytes: number[] = [];
  while (bytes.length < length) bytes.push(next() >>> 24);
  return bytes;
}

/** A source of numbers from 0 (included) to 1 (excluded), the same for the same words. */
export function pseudoRandom(words: string): () => number {
  const next = generator(words);
  return () => (next() >>> 0) / 2 ** 32;
}

/** The sfc32 generator of 32 bits, signed; its state is hashed from the words. */
function generator(words: string): () => number {
  let [a, b, c] = [hash(words, 1), hash(words, 2), hash(words, 3)];
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

/** FNV-1a over the words, with a last stir. */
function hash(words: string, salt: number): number {
  let value = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1);
  for (let index = 0; index < words.length; index++) {
    value = Math.imul(value ^ words.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}

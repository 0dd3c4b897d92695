import { addDuration, toDate, toTimestamp } from '../../lib/duration.ts';

const day = 86_400;

/** Seconds since 1970 of a timestamp. */
export function secondsOf(timestamp: string): number {
  return toDate(timestamp).getTime() / 1000;
}

/** The timestamp of seconds since 1970. */
export type Stamp = (seconds: number) => string;

/** So many timestamps are kept at hand, a power of 2: those of one order are asked for again and again. */
const mostKept = 256;

/** Makes timestamps. Moments that are the same mostly share their texts. */
export function createStamps(): Stamp {
  const days = new Map<number, number[]>();
  const moments = Array.from({ length: mostKept }, () => Number.NaN);
  const stamps = moments.map(() => '');
  return (seconds) => {
    const place = seconds & (mostKept - 1);
    if (moments[place] !== seconds) {
      moments[place] = seconds;
      stamps[place] = stampOn(days, seconds);
    }
    return stamps[place]!;
  };
}

/** Made of all its characters at once: a text that is put together by + keeps its parts. */
function stampOn(days: Map<number, number[]>, seconds: number): string {
  const number = Math.floor(seconds / day);
  let codes = days.get(number);
  if (codes === undefined) {
    const midnight = toTimestamp(new Date(number * day * 1000));
    codes = Array.from(midnight, (character) => character.charCodeAt(0));
    days.set(number, codes);
  }
  const time = seconds - number * day;
  putDigits(codes, 11, Math.floor(time / 3600));
  putDigits(codes, 14, Math.floor((time % 3600) / 60));
  putDigits(codes, 17, time % 60);
  return String.fromCharCode(...codes);
}

function putDigits(codes: number[], at: number, number: number): void {
  // As integers: with a single fraction among them, all would be kept as such.
  codes[at] = (zero + number / 10) | 0;
  codes[at + 1] = (zero + (number % 10)) | 0;
}

/** The code of the digit 0. */
const zero = 48;

/** The latest that a timestamp can say. */
const lastSecond = secondsOf('9999-12-31T23:59:59+0000');

/** When a cart expires that was opened at a moment. Only months and years are not always of the same length. */
export function expiryBy(lifetime: string, stampOf: Stamp): (opened: number) => number {
  const exact = (opened: number): number => secondsOf(addDuration(stampOf(opened), lifetime));
  if (/^P[^T]*[YM]/.test(lifetime)) return exact;
  const length = exact(0);
  return (opened) => Math.min(opened + length, lastSecond);
}

import { addDuration, toDate, toTimestamp } from '../../engine/lib/duration.ts';

const day = 86_400;

/** Returns the seconds since 1970 of a timestamp. */
export function secondsOf(timestamp: string): number {
  return toDate(timestamp).getTime() / 1000;
}

/** Returns the timestamp of a time in seconds since 1970. */
export type TimestampOf = (seconds: number) => string;

/** The number of cached timestamps, a power of 2. The records of an order share a few timestamps. */
const cacheSize = 256;

/** Returns a memoized function. Its cache is direct-mapped: a new timestamp replaces the one in its slot. */
export function memoizeTimestamps(): TimestampOf {
  const days = new Map<number, number[]>();
  const cachedSeconds = Array.from({ length: cacheSize }, () => Number.NaN);
  const timestamps = cachedSeconds.map(() => '');
  return (seconds) => {
    const slot = seconds & (cacheSize - 1);
    if (cachedSeconds[slot] !== seconds) {
      cachedSeconds[slot] = seconds;
      timestamps[slot] = formatTimestamp(days, seconds);
    }
    return timestamps[slot]!;
  };
}

/**
 * Creates the string from its character codes. V8 keeps the parts of a concatenated string in memory (a
 * [rope](https://en.wikipedia.org/wiki/Rope_(data_structure))).
 */
function formatTimestamp(days: Map<number, number[]>, seconds: number): string {
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
  // `| 0` makes integers. A single fraction would turn the whole array into one of doubles.
  codes[at] = (zero + number / 10) | 0;
  codes[at + 1] = (zero + (number % 10)) | 0;
}

/** The code of the digit 0. */
const zero = 48;

/** The last second that a timestamp can represent. */
const lastSecond = secondsOf('9999-12-31T23:59:59+0000');

/**
 * Returns the function from the creation of a cart to its expiry, both in seconds since 1970. A lifetime without months
 * and years has a fixed length.
 */
export function expiryBy(lifetime: string, timestampOf: TimestampOf): (created: number) => number {
  const exact = (created: number): number => secondsOf(addDuration(timestampOf(created), lifetime));
  if (/^P[^T]*[YM]/.test(lifetime)) return exact;
  const length = exact(0);
  return (created) => Math.min(created + length, lastSecond);
}

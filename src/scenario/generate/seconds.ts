import { addDuration, toDate, toTimestamp } from '../../models/duration.ts';

const day = 86_400;

/** Seconds since 1970 of a timestamp. */
export function secondsOf(timestamp: string): number {
  return toDate(timestamp).getTime() / 1000;
}

/** The timestamp of seconds since 1970. */
export type Stamp = (seconds: number) => string;

/** So many timestamps are kept at hand: those of one order are asked for again and again. */
const mostKept = 256;

/** Makes timestamps. Moments of one day, and moments that are the same, share their texts. */
export function createStamps(): Stamp {
  const days = new Map<number, string>();
  const kept = new Map<number, string>();
  const make = (seconds: number): string => {
    const number = Math.floor(seconds / day);
    const date = days.get(number) ?? toTimestamp(new Date(number * day * 1000)).slice(0, 11);
    days.set(number, date);
    const time = seconds - number * day;
    const minute = digits[Math.floor((time % 3600) / 60)]!;
    // Joined, for what is put together by + keeps its parts.
    return [
      date,
      digits[Math.floor(time / 3600)]!,
      ':',
      minute,
      ':',
      digits[time % 60]!,
      '+0000',
    ].join('');
  };
  return (seconds) => {
    const known = kept.get(seconds);
    if (known !== undefined) return known;
    if (kept.size >= mostKept) kept.clear();
    const stamp = make(seconds);
    kept.set(seconds, stamp);
    return stamp;
  };
}

const digits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** When a cart expires that was opened at a moment. Only months and years are not always of the same length. */
export function expiryBy(lifetime: string, stampOf: Stamp): (opened: number) => number {
  const exact = (opened: number): number => secondsOf(addDuration(stampOf(opened), lifetime));
  if (/^P[^T]*[YM]/.test(lifetime)) return exact;
  const length = exact(0);
  return (opened) => opened + length;
}

import { toDate, toTimestamp } from '../../engine/lib/duration.ts';

/** Returns the seconds since 1970 of a timestamp. */
export function secondsOf(text: string): number {
  return toDate(text).getTime() / 1000;
}

/** Returns the timestamp of a time in seconds since 1970. */
export function timestamp(seconds: number): string {
  return toTimestamp(new Date(seconds * 1000));
}

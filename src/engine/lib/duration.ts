import { Problem } from './problem.ts';
import { LruCache } from './maps.ts';

/** An ISO 8601 duration: `PT3H`, `P1DT12H`, `P2W`, `P1Y6M`; negative with a leading minus. */
const pattern =
  /^(-)?P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** A duration as people write it: `2s`, `-30m`, `3h`, `1d`, `2w`. */
const short = /^(-?)(\d{1,9})([smhdw])$/;

export function isDuration(text: string): boolean {
  return pattern.test(inIso(text));
}

/** Writes `2s` as `PT2S`. Any other text stays as it is. */
function inIso(text: string): string {
  const [, sign = '', amount = '', unit = ''] = short.exec(text) ?? [];
  if (unit === '') return text;
  return `${sign}P${'smh'.includes(unit) ? 'T' : ''}${amount}${unit.toUpperCase()}`;
}

/**
 * Adds a duration to a timestamp. Years and months follow the calendar: a month after the 31st is the last day of the next
 * month. The result is limited to the years 0 to 9999.
 *
 * @throws Problem `invalid` if the text is not an ISO 8601 duration, or is too long
 */
export function addDuration(timestamp: string, duration: string): string {
  const key = `${timestamp} ${duration}`;
  const known = sums.get(key);
  const sum = known ?? computeSum(timestamp, duration);
  if (known === undefined) sums.set(key, sum);
  return sum;
}

/** Caches sums, since carts created in the same second expire in the same second. */
const sums = new LruCache<string, string>();

/** The range of timestamps. */
const firstDate = new Date('0000-01-01T00:00:00Z');
const lastDate = new Date('9999-12-31T23:59:59Z');

function computeSum(timestamp: string, duration: string): string {
  const parts = pattern.exec(inIso(duration));
  if (parts === null) {
    throw new Problem('invalid', `${duration} is not a duration such as PT3H, P1DT12H or 2s.`);
  }
  const sign = parts[1] === '-' ? -1 : 1;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(2)
    .map((part) => sign * Number(part ?? 0));
  const date = addMonths(toDate(timestamp), years * 12 + months);
  const time = ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds;
  const moved = new Date(date.getTime() + time * 1000);
  if (Number.isNaN(moved.getTime())) {
    throw new Problem('invalid', `${duration} is too long.`);
  }
  return toTimestamp(moved < firstDate ? firstDate : moved < lastDate ? moved : lastDate);
}

/**
 * Returns the seconds in a duration. Months and years are counted from 2001-01-01.
 *
 * @throws Problem `invalid` if the text is not an ISO 8601 duration, or is too long
 */
export function secondsIn(duration: string): number {
  const from = '2001-01-01T00:00:00+0000';
  return secondsBetween(from, addDuration(from, duration));
}

/** Whether a text is a positive duration of at least `min` seconds that stays in the range of timestamps. */
export function isForwardDuration(text: string, min = 0): boolean {
  const from = '2000-01-01T00:00:00+0000';
  if (!isDuration(text) || text.startsWith('-')) return false;
  try {
    const to = addDuration(from, text);
    return /^[2-8]\d{3}-/.test(to) && secondsBetween(from, to) >= min;
  } catch {
    return false;
  }
}

/** Returns the seconds from one timestamp to another: negative if the other is earlier. */
export function secondsBetween(from: string, to: string): number {
  return (toDate(to).getTime() - toDate(from).getTime()) / 1000;
}

/** Converts a date to a timestamp as in records: `2026-03-02T09:00:00+0000`. Drops fractions of a second. */
export function toTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+0000`;
}

/**
 * Parses a date, or a date-time with or without an offset (default: UTC).
 *
 * @returns the timestamp, or undefined if the text is invalid or outside the years 1000 to 8999
 */
export function parseDateTime(text: string): string | undefined {
  if (isTimestamp(text)) return /^[1-8]/.test(text) ? text : undefined;
  const match =
    /^([1-8]\d{3}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text);
  const [, day = '', time = '00:00', seconds = ':00', offset = 'Z'] = match ?? [];
  const date = new Date(`${day}T${time}${seconds}${offset.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  // Engines differ on days such as February 30: some return a date in March, others an invalid date.
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;
  if (!isDay || Number.isNaN(date.getTime())) return undefined;
  // The offset may move the date-time outside these years.
  const timestamp = toTimestamp(date);
  return /^[1-8]/.test(timestamp) ? timestamp : undefined;
}

const realSecond =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\+0000$/;

/** Whether a text is a timestamp of an existing date and time. */
export function isTimestamp(text: string): boolean {
  if (!realSecond.test(text)) return false;
  // Only the days after the 28th are missing in some months.
  return text.slice(8, 10) <= '28' || toTimestamp(toDate(text)) === text;
}

/** Converts a timestamp to a date. */
export function toDate(timestamp: string): Date {
  return new Date(`${timestamp.slice(0, 19)}Z`);
}

function addMonths(date: Date, months: number): Date {
  if (months === 0) return date;
  const moved = new Date(date);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(
    Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0),
  ).getUTCDate();
  moved.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return moved;
}

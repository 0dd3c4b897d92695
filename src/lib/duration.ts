import { Problem } from './problem.ts';
import { LruCache } from './lru-cache.ts';

/** An ISO 8601 duration: `PT3H`, `P1DT12H`, `P2W`, `P1Y6M`; with a minus in front it goes back. */
const pattern =
  /^(-)?P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

export function isDuration(text: string): boolean {
  return pattern.test(text);
}

/**
 * The moment so long after (or, with a minus, before) a timestamp. Years and months follow the calendar: a month after
 * the 31st is the last day of the next month. Before the year 0 it is its first second, after the year 9999 its last one.
 *
 * @throws Problem `invalid` where the text is not an ISO 8601 duration
 */
export function addDuration(timestamp: string, duration: string): string {
  if (timestamp === last.timestamp && duration === last.duration) return last.sum;
  const key = `${timestamp} ${duration}`;
  const known = sums.get(key);
  const sum = known ?? added(timestamp, duration);
  if (known === undefined) sums.set(key, sum);
  last = { timestamp, duration, sum };
  return sum;
}

/** Carts of one moment last equally long, and there are many of them. */
const sums = new LruCache<string, string>();
/** The same is mostly asked for again, and even to look it up among others takes longer. */
let last = { timestamp: '', duration: '', sum: '' };

/** The earliest and the latest that a timestamp can say. */
const firstDate = new Date('0000-01-01T00:00:00Z');
const lastDate = new Date('9999-12-31T23:59:59Z');

function added(timestamp: string, duration: string): string {
  const parts = pattern.exec(duration);
  if (parts === null) {
    throw new Problem(
      'invalid',
      `${duration} is not an ISO 8601 duration such as PT3H or P1DT12H.`,
    );
  }
  const sign = parts[1] === '-' ? -1 : 1;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(2)
    .map((part) => sign * Number(part ?? 0));
  const date = addMonths(toDate(timestamp), years * 12 + months);
  const time = ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds;
  const moved = new Date(date.getTime() + time * 1000);
  if (Number.isNaN(moved.getTime())) {
    throw new Problem('invalid', `${duration} leads out of the calendar.`);
  }
  return toTimestamp(moved < firstDate ? firstDate : moved < lastDate ? moved : lastDate);
}

/**
 * How long a duration is, where months and years count as they would from 2001 on.
 *
 * @throws Problem `invalid` where the text is not an ISO 8601 duration
 */
export function secondsIn(duration: string): number {
  const from = '2001-01-01T00:00:00+0000';
  return secondsBetween(from, addDuration(from, duration));
}

/** Whether a text is a duration that goes forward, by so many seconds or more, and not beyond what a timestamp can say. */
export function isForwardDuration(text: string, least = 0): boolean {
  const from = '2000-01-01T00:00:00+0000';
  if (!isDuration(text) || text.startsWith('-')) return false;
  try {
    const to = addDuration(from, text);
    return /^[2-8]\d{3}-/.test(to) && secondsBetween(from, to) >= least;
  } catch {
    return false;
  }
}

/** Seconds from one moment to another; negative where the other is earlier. */
export function secondsBetween(from: string, to: string): number {
  return (toDate(to).getTime() - toDate(from).getTime()) / 1000;
}

/** A date as a timestamp of the shape that records carry; fractions of a second are cut off. */
export function toTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+0000`;
}

/**
 * Reads a moment as people write it: a date, or a date-time with or without an offset; without one it is UTC.
 *
 * @returns undefined for what is no moment of the years 1000 to 8999
 */
export function parseDateTime(text: string): string | undefined {
  const match =
    /^([1-8]\d{3}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text);
  const [, day = '', time = '00:00', seconds = ':00', offset = 'Z'] = match ?? [];
  const date = new Date(`${day}T${time}${seconds}${offset.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  // A day that its month does not have is taken for one of the next month by some and for none by others.
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;
  if (!isDay || Number.isNaN(date.getTime())) return undefined;
  // An offset may lead out of those years.
  const moment = toTimestamp(date);
  return /^[1-8]/.test(moment) ? moment : undefined;
}

const realSecond =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\+0000$/;

/** Whether a text has the form of a timestamp and stands for a second that there is. */
export function isTimestamp(text: string): boolean {
  if (!realSecond.test(text)) return false;
  // Only the last days of a month are not in all of them.
  return text.slice(8, 10) <= '28' || toTimestamp(toDate(text)) === text;
}

/** The date of a timestamp. */
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

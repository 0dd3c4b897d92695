import { pluralOf } from '../engine/lib/words.ts';

/** `2026-03-02T09:00:00+0000` → `Mon 2 Mar 2026 09:00 UTC`. */
export function formatTime(at: string): string {
  const date = new Date(at.replace(/\+0000$/, 'Z'));
  if (Number.isNaN(date.getTime())) return at;
  const [day = '', number = '', month = '', year = '', time = ''] = date.toUTCString().split(/,? /);
  return `${day} ${Number(number)} ${month} ${year} ${time.slice(0, 5)} UTC`;
}

/** `2 Mar, 08:20`, with the year if it is not that of the other date-time. */
export function shortTime(at: string, now = ''): string {
  const [, day, month, year = '', time] = formatTime(at).split(' ');
  if (time === undefined) return at;
  return `${day} ${month}${now.startsWith(year) ? '' : ` ${year}`}, ${time}`;
}

/** `to 2026-03-02T09:00:00+0000` → `to 2026-03-02 09:00:00`: times are always those of UTC. */
export function withoutZone(text: string): string {
  return text.replace(/T([\d:]{8})\+0000/, ' $1');
}

/** A real time in milliseconds: `1.05 ms`, `2,001 ms`. */
export function formatMs(ms: number): string {
  return `${ms.toLocaleString('en', { maximumFractionDigits: ms < 100 ? 2 : 0 })} ms`;
}

/** A real time in milliseconds since 1970, where the reader is: `2026-11-24 04:52:11`. */
export function formatReceived(at: number): string {
  return new Date(at).toLocaleString('sv');
}

/** `1 record`, `5 entries`. */
export function countOf(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : pluralOf(noun)}`;
}

/** A value as text: strings as they are, all others as JSON. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'unset';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

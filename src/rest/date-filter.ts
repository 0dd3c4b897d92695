const dateOrDateTime =
  /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[ +-]\d\d:?\d\d)?)?$/;

/**
 * Returns the first (`from`) or last (`to`) second of the day that a date filter names, as a timestamp in UTC.
 *
 * Of a date-time only the day counts, in UTC, as timestamps are. In a query string an unescaped `+` reads as a space, so
 * a space before an offset stands for `+`.
 *
 * @param sent `2026-03-02`, or an ISO 8601 date-time: `2026-03-02T09:00:00+0100`
 * @returns undefined if it is neither
 */
export function dateBound(sent: string, end: 'from' | 'to'): string | undefined {
  const [, day, time = '00:00', offset = 'Z'] = dateOrDateTime.exec(sent) ?? [];
  if (day === undefined) return undefined;
  const zone = offset.replace(' ', '+').replace(/(\d\d)(\d\d)$/, '$1:$2');
  const moment = new Date(`${day}T${time}${zone}`);
  const dayExists = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;
  const [inUtc] = /^\d{4}-\d\d-\d\d/.exec(moment.toJSON() ?? '') ?? [];
  if (!dayExists || inUtc === undefined) return undefined;
  return `${inUtc}T${end === 'from' ? '00:00:00' : '23:59:59'}+0000`;
}

/**
 * The first (`from`) or last (`to`) second that a date filter takes in, as a timestamp of the shape that records carry.
 *
 * @param sent `2026-03-02` (the whole day) or an ISO 8601 date-time; one without an offset is UTC
 * @returns undefined where it is neither
 */
export function dateBound(sent: string, end: 'from' | 'to'): string | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(
    sent,
  );
  const [, day, time = end === 'from' ? '00:00:00' : '23:59:59', offset = 'Z'] = parts ?? [];
  if (day === undefined) return undefined;
  const date = new Date(`${day}T${time}${offset.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  const dayExists = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;
  return dayExists && !Number.isNaN(date.getTime())
    ? `${date.toISOString().slice(0, 19)}+0000`
    : undefined;
}

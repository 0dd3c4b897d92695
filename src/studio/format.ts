/** `2026-03-02T09:00:00+0000` → `Mon 2 Mar 2026 09:00 UTC`. */
export function formatTime(at: string): string {
  const date = new Date(at.replace(/\+0000$/, 'Z'));
  if (Number.isNaN(date.getTime())) return at;
  const [day = '', number = '', month = '', year = '', time = ''] = date.toUTCString().split(/,? /);
  return `${day} ${Number(number)} ${month} ${year} ${time.slice(0, 5)} UTC`;
}

/** An amount in minor units: `5440`, `EUR` → `54.40 EUR`. */
export function formatMoney(minor: number, currency = ''): string {
  const digits = currency === 'JPY' || currency === 'KRW' ? 0 : 2;
  return `${(minor / 10 ** digits).toFixed(digits)} ${currency}`.trim();
}

/** `1 record`, `5 records`. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A value as text: strings as they are, all others as JSON. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'unset';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** `order_items` → `order item`. */
export function singularOf(table: string): string {
  return table
    .replace(/ies$/, 'y')
    .replace(/(ss|ch|x)es$/, '$1')
    .replace(/s$/, '')
    .replaceAll('_', ' ');
}

/** An amount in minor units of its currency by ISO 4217: `544000`, `EUR` → `5,440.00 EUR`; `5440`, `KWD` → `5.440 KWD`. */
export function formatMoney(minor: number, currency = ''): string {
  const digits = digitsOf(currency);
  const amount = (minor / 10 ** digits).toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${amount} ${currency}`.trim();
}

function digitsOf(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    // A value that is no code of a currency.
    return 2;
  }
}

export function money(amount, currency) {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount / 100);
}

export function day(text) {
  return new Date(text).toLocaleDateString('en-GB', { timeZone: 'UTC' });
}

/** `order item` → `Order item`. */
export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** `order_items`, `order-items` → `order item`. */
export function singularOf(name: string): string {
  return name
    .replace(/ies$/, 'y')
    .replace(/(ss|ch|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replaceAll(/[_-]/g, ' ');
}

/** `order item` → `order items`. */
export function pluralOf(noun: string): string {
  return `${noun.replace(/([^aeiou])y$/, '$1ie').replace(/(s|ch|x)$/, '$1e')}s`;
}

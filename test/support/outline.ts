/**
 * Returns the names of all properties of a value, in order and at any depth: `{id items:[{id code}] _links:{self:{href}}}`.
 * Lists show the outlines of their elements, each once; other values show nothing.
 */
export function outline(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(outline))].join(' | ')}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : '';
  const fields = Object.entries(value).map(([name, field]) => {
    const inner = outline(field);
    return inner === '' ? name : `${name}:${inner}`;
  });
  return `{${fields.join(' ')}}`;
}

/**
 * Characters that a terminal or an editor may obey or not show: controls, which end lines or move the cursor, and those
 * that change the direction of a text (https://trojansource.codes).
 */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A name in a JSON text. In a string, a backslash is in front of each quote. */
const protoName = /(?<!\\)"__proto__"(?=:)/g;

/** Returns a value as JSON in characters that can be printed. */
export function printableJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replaceAll(unprintable, (text) =>
    text === '\n' ? text : escaped(text),
  );
}

/** Returns a value as JavaScript. */
export function sourceOf(value: unknown, indent?: number): string {
  return printableJson(value, indent).replaceAll(protoName, protoKey);
}

/** Returns the name of a property in a literal. */
export function keyOf(name: string): string {
  return name === '__proto__' ? protoKey : printableJson(name);
}

/** In a literal, `"__proto__":` would set the prototype. */
const protoKey = '["__proto__"]';

/** Returns a text for one line of a comment. */
export function commentOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(unprintable, '?');
}

function escaped(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Returns what the greeting prints in a row. */
export function greetingRow(printed: string, name: string): string {
  return new RegExp(`^ *${name} {2,}(.+)$`, 'm').exec(printed)?.[1] ?? '';
}

/**
 * Text in lines that are no wider than so many columns, all but the first of them indented. A word that is wider stays
 * whole.
 *
 * @param columns those of the terminal; where there is none it is one line, for programs to read
 */
export function wrapped(text: string, indent: number, columns = Infinity): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || indent + last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

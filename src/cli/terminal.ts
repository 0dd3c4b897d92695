import { stripVTControlCharacters, styleText } from 'node:util';
import type { Tone } from '../engine/journal/tone.ts';
import { escapeControls } from '../engine/lib/printable.ts';
import type { OnProgress } from '../engine/lib/progress.ts';

/** The parts of `process.stdout` and `process.stderr` that output depends on. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Returns the width of a terminal in columns; undefined if the output is not a terminal. Pseudo-terminals of editors and
 * of CI may state a width of 0: then it is 80.
 */
export function widthOf({ isTTY = false, columns = 0 }: Output): number | undefined {
  if (!isTTY) return undefined;
  return columns > 0 ? columns : 80;
}

const colours = { ok: 'green', warn: 'yellow', bad: 'red', info: 'blue', vio: 'magenta' } as const;

/** Colours a text by its tone, as the studio does; a neutral one stays as it is. */
export function paintTone(tone: Tone | undefined, text: string): string {
  return tone === undefined ? text : styleText(colours[tone], text);
}

/**
 * Wraps the lines of a text that are wider than a terminal. They lose their columns, and go on with a larger indent. Commands
 * stay whole, to be copied.
 */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) =>
      lengthOf(line) <= columns || isShellCommand(line) ? line : wrapLine(line, columns),
    )
    .join('\n');
}

/** Prints a text, wrapped to the width of the terminal. */
export function printWrapped(text: string): void {
  console.log(wrapText(text, widthOf(process.stdout) ?? Infinity));
}

/** Prints what is wrong, wrapped to the width of the terminal. */
export function printIssue(text: string): void {
  console.error(wrapText(`backlot: ${text}`, widthOf(process.stderr) ?? Infinity));
}

/** Whether a line is a command for a shell. */
export function isShellCommand(line: string): boolean {
  return /^(npx|curl) /.test(line.trim());
}

function wrapLine(line: string, columns: number): string[] {
  const text = stripVTControlCharacters(line);
  const indent = ' '.repeat(text.length - text.trimStart().length);
  const lines = [indent];
  for (const word of line.trim().split(/ +/)) {
    const last = lines.at(-1) ?? '';
    // Colours alone are no word.
    const isFirst = stripVTControlCharacters(last).trim() === '' || lengthOf(word) === 0;
    if (!isFirst && lengthOf(last) + 1 + lengthOf(word) > columns)
      lines.push(`${indent}    ${word}`);
    else lines[lines.length - 1] = isFirst ? `${last}${word}` : `${last} ${word}`;
  }
  return lines;
}

/** Returns the number of columns of a line. */
function lengthOf(line: string): number {
  return stripVTControlCharacters(line).length;
}

/** A line that shows how far long work is. */
export interface ProgressLine {
  /** Shows the line at once, without a share. */
  show(): void;
  readonly onProgress: OnProgress;
  /** Shows how far the work is, in words: `120 requests`. */
  report(progress: string): void;
  /** Prints a text above the line, wrapped to the width of the terminal. */
  print(text: string): void;
  /** Erases the line. Later reports are ignored. */
  end(): void;
}

/** In milliseconds: from the start of the program to the first output, and from one output to the next. */
const times = { first: 500, interval: 100 };

/**
 * Creates a progress line for a terminal. It appears if the work is not done half a second after the program started. If
 * the output is not a terminal, nothing is written.
 *
 * @param work names the work: `opening the scenario large`
 */
export function createProgressLine(work: string, output: Output = process.stderr): ProgressLine {
  // A dumb terminal cannot erase a line.
  const width = process.env['TERM'] === 'dumb' ? undefined : widthOf(output);
  let next = width === undefined ? Infinity : times.first;
  let isShown = false;
  const write = (text: string): void => {
    isShown = true;
    // A line as wide as the terminal would wrap, and could not be erased.
    output.write(`\r${`backlot: ${text}`.slice(0, (width ?? 80) - 1)}\u001B[K`);
  };
  const report = (progress: string): void => {
    const now = performance.now();
    if (now < next) return;
    next = now + times.interval;
    write(`${work}: ${progress}`);
  };
  const erase = (): void => {
    if (isShown) output.write('\r\u001B[K');
    isShown = false;
  };
  return {
    show() {
      if (width !== undefined) write(work);
    },
    onProgress: (share) => report(`${Math.floor(share * 100)} %`),
    report,
    print(text) {
      erase();
      console.log(wrapText(text, width ?? Infinity));
      // The line stands below it at once.
      if (next !== Infinity) next = 0;
    },
    end() {
      erase();
      next = Infinity;
    },
  };
}

/** Returns a value as a line of JSON that controls no terminal. */
export function jsonLine(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

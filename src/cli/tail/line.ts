import { stripVTControlCharacters, styleText } from 'node:util';
import { printable as withoutControls } from '../../engine/lib/printable.ts';
import { truncate } from '../../engine/lib/problem.ts';
import { sentenceOf } from '../../engine/journal/sentence.ts';
import { tonesWith, toneWordOf } from '../../engine/journal/tone.ts';
import { paintTone } from '../terminal.ts';
import type { Summary } from './received.ts';

const tones = tonesWith();

/**
 * Formats an entry: `#12 200 checkout-web paid order 119, 54.40 EUR  1.2 ms  PUT /api/checkouts/119`.
 *
 * @param width of the terminal: what it has no room for at the end is left out
 */
export function lineOf(entry: Summary, width: number): string {
  const { id, by, title, status, ms } = entry;
  const state = status === 0 ? 'dropped' : String(status ?? entry.state?.replace('-', ' ') ?? by);
  const sentence = printable(sentenceOf(entry));
  let rest = '';
  const room = width - `#${id} ${state} ${sentence}`.length;
  for (const part of [ms === undefined ? '' : `${ms} ms`, by === 'request' ? printable(title) : ''])
    if (part !== '' && rest.length + part.length + 2 <= room) rest += `  ${part}`;
  return `${styleText('dim', `#${id}`)} ${paintTone(tones.get(toneWordOf(entry)), state)} ${sentence}${styleText('dim', rest)}`;
}

/** Text of clients and servers must not control the terminal. */
function printable(text: string): string {
  return withoutControls(stripVTControlCharacters(truncate(text)), ' ');
}

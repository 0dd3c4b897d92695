import { stripVTControlCharacters, styleText } from 'node:util';
import { printable as withoutControls } from '../../engine/lib/printable.ts';
import { truncate } from '../../engine/lib/problem.ts';
import { deedOf } from '../../engine/journal/deed.ts';
import { tonesWith, toneWordOf } from '../../engine/journal/tone.ts';
import { paintTone } from '../terminal.ts';
import type { Summary } from './received.ts';

const tones = tonesWith();

/** Formats an entry: `#12 PUT /api/checkouts/3 200 ok 1.2 ms · checkout-web confirmed order 3.`, `#13 clock +1 day: 14 carts abandoned (3 h).` */
export function lineOf({ changed, ...entry }: Summary): string {
  const { id, by, title, status, outcome, reason, ms } = entry;
  const pending = entry.state?.replace('-', ' ') ?? by;
  const state = status === undefined ? pending : `${status} ${outcome}`;
  const tone = tones.get(toneWordOf(entry));
  const records = changed === 0 ? undefined : `${changed} record${changed === 1 ? '' : 's'}`;
  const deed = deedOf(entry);
  if (by !== 'request')
    return `${styleText('dim', `#${id}`)} ${paintTone(tone, by)} ${printable(deed)}`;
  const meaning = deed.includes(title) ? (entry.meaning ?? records) : deed;
  return [
    `${styleText('dim', `#${id}`)} ${printable(title)} ${paintTone(tone, state)}`,
    ...(ms === undefined ? [] : [styleText('dim', ` ${ms} ms`)]),
    ...(reason === undefined ? [] : [paintTone(tone, ` ${printable(reason)}`)]),
    ...(meaning === undefined ? [] : [` ${styleText('dim', '·')} ${printable(meaning)}`]),
  ].join('');
}

/** Text of clients and servers must not control the terminal. */
function printable(text: string): string {
  return withoutControls(stripVTControlCharacters(truncate(text)), ' ');
}

import { toneWordOf, type Tone } from '../engine/journal/tone.ts';
import type { Summary } from './source.ts';
import type { Studio } from './studio.ts';

/** Returns the tone of a state of a machine, of the outcome of a request, or of what made an entry; undefined for a neutral one. */
export function toneOf(studio: Studio, state: unknown): Tone | undefined {
  return studio.tones.value.get(String(state));
}

/** Returns the tone of an entry: the same in each list, and where it is open. */
export function toneOfEntry(
  studio: Studio,
  entry: Pick<Summary, 'by' | 'outcome' | 'state'>,
): Tone | undefined {
  return toneOf(studio, toneWordOf(entry));
}

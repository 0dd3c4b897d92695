import { computed } from '@preact/signals';
import { toneWordOf, tonesWith, type Tone } from '../journal/tone.ts';
import { apiPages } from './api-pages.ts';
import type { Summary } from './source.ts';

const tones = computed(() => tonesWith(apiPages().tones));

/** Returns the tone of a state of a machine, of the outcome of a request, or of what made an entry; undefined for a neutral one. */
export function toneOf(state: unknown): Tone | undefined {
  return tones.value.get(String(state));
}

/** Returns the tone of an entry: the same in each list, and where it is open. */
export function toneOfEntry(entry: Pick<Summary, 'by' | 'outcome' | 'state'>): Tone | undefined {
  return toneOf(toneWordOf(entry));
}

import { computed } from '@preact/signals';
import { apiPages, type Tone } from './api-pages.ts';

/** Outcomes of requests, what made entries, and states that machines of any API may have. */
const common: Readonly<Record<Tone, string>> = {
  ok: 'ok',
  warn: 'declined pending held delayed',
  bad: 'rejected failed dropped unknown',
  info: 'clock page new',
  vio: 'restore reset',
};

const all: readonly Tone[] = ['ok', 'warn', 'bad', 'info', 'vio'];

const tones = computed(
  () =>
    new Map(
      all.flatMap((tone) =>
        [common[tone], apiPages().tones[tone] ?? []]
          .flat()
          .flatMap((names) => names.split(' ').map((name) => [name, tone] as const)),
      ),
    ),
);

/** Returns the tone of a state of a machine, of the outcome of a request, or of what made an entry; undefined for a neutral one. */
export function toneOf(state: unknown): Tone | undefined {
  return tones.value.get(String(state));
}

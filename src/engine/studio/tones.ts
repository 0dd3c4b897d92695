/** What a colour means: done, needs attention, in trouble, known of time or of a plan, taken back. Classes of the style sheet. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'vio';

const states: Readonly<Record<Tone, string>> = {
  ok: 'ok confirmed shipped completed sold ready',
  warn: 'declined pending processing authorized backordered onhold',
  bad: 'rejected failed dropped abandoned cancelled unknown',
  info: 'clock page new checkout',
  vio: 'restore reset released returned refunded void',
};

const tones = new Map(
  Object.entries(states).flatMap(([tone, names]) =>
    names.split(' ').map((name) => [name, tone as Tone] as const),
  ),
);

/** Returns the tone of a state of a machine, of the outcome of a request, or of what made an entry; undefined for a neutral one. */
export function toneOf(state: unknown): Tone | undefined {
  return tones.get(String(state));
}

/** What a colour means: success, attention, trouble. The names are those of classes of the style sheet. */
export type Tone = 'good' | 'warm' | 'bad';

const states: Readonly<Record<Tone, string>> = {
  good: 'confirmed shipped completed sold ready ok',
  warm: 'pending processing authorized backordered onhold returned refunded void declined',
  bad: 'failed abandoned cancelled released unknown rejected dropped',
};

const tones = new Map(
  Object.entries(states).flatMap(([tone, names]) =>
    names.split(' ').map((name) => [name, tone as Tone] as const),
  ),
);

/** Returns the tone of a state of a machine, or of the outcome of a request; undefined for a neutral one. */
export function toneOf(state: unknown): Tone | undefined {
  return tones.get(String(state));
}

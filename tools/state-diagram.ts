import type { MachineRow } from '../src/engine/definition/api.ts';

/** A state machine as a Mermaid state diagram, drawn from its rows. */
export function diagram({
  initial,
  external,
  transitions,
}: Pick<MachineRow, 'initial' | 'external' | 'transitions'>): string {
  const arrows = transitions.flatMap(({ name, from, to }) =>
    from.map((state) => `  ${state} --> ${to}: ${name}`),
  );
  return [
    'stateDiagram-v2',
    `  [*] --> ${initial}`,
    ...arrows,
    ...external.map((state) => `  ${state}`),
  ].join('\n');
}

import {
  boxHeight,
  boxWidth,
  cornerOf,
  gapX,
  gapY,
  margin,
  maxColumns,
  pathOf,
  stepX,
  stepY,
} from './chart-paths.ts';
import { places, type Place } from './chart-places.ts';
import type { MachineView } from '../../../engine/control/endpoints/machines.ts';
import { toneOf } from '../../../engine/studio/tones.ts';

/** One state and the next. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

interface ChartProps {
  readonly machine: MachineView;
  readonly state: string;
  /** The way to the state, as far as the history knows it. */
  readonly taken: readonly Edge[];
  /** The states that can be next. */
  readonly possible: readonly string[];
}

/** A state chart: the present state lit, the way taken drawn, possible ones dashed. */
export function Chart({ machine, state, taken, possible }: ChartProps) {
  const spots = places[machine.name] ?? {};
  const rows = 1 + Math.max(...Object.values(spots).map(([, row]) => row));
  const visited = new Set(taken.flatMap(({ from, to }) => [from, to]));
  const edges = [
    ...possible.map((to) => ({ from: state, to, kind: 'possible' })),
    ...taken.map((edge) => ({ ...edge, kind: 'taken' })),
  ];
  return (
    <svg
      viewBox={`0 0 ${maxColumns * stepX - gapX + 2 * margin} ${rows * stepY - gapY + 2 * margin}`}
      aria-hidden="true"
    >
      {edges.map(({ from, to, kind }) => (
        <path key={`${kind} ${from} ${to}`} class={kind} d={pathOf(spots[from], spots[to])} />
      ))}
      {machine.states.map((name) => (
        <State
          key={name}
          name={name}
          place={spots[name] ?? [0, 0]}
          kind={kindOf(name, state, visited, possible)}
        />
      ))}
    </svg>
  );
}

function kindOf(
  name: string,
  state: string,
  visited: ReadonlySet<string>,
  possible: readonly string[],
): string {
  if (name === state) return 'present';
  if (visited.has(name)) return 'visited';
  return possible.includes(name) ? 'next' : 'other';
}

function State({
  name,
  place,
  kind,
}: {
  readonly name: string;
  readonly place: Place;
  readonly kind: string;
}) {
  const [x, y] = cornerOf(place);
  return (
    <g class={`box ${kind} ${kind === 'present' ? (toneOf(name) ?? '') : ''}`}>
      <rect x={x} y={y} width={boxWidth} height={boxHeight} rx={6} />
      <text x={x + boxWidth / 2} y={y + boxHeight / 2 + 4}>
        {name}
      </text>
    </g>
  );
}

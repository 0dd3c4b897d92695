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
import { layouts, type Position } from './chart-layouts.ts';
import type { MachineView } from '../../../engine/control/endpoints/machines.ts';
import { unfold } from '../../scroller.ts';
import { toneOf } from '../../tones.ts';
import type { Studio } from '../../studio.ts';

/** One state and the next. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** A state chart: the present state lit, the way taken drawn, as far as the history knows it, possible ones dashed. */
export function chartOf(
  studio: Studio,
  { name: machine, states }: MachineView,
  state: string,
  taken: readonly Edge[],
  possible: readonly string[],
) {
  const spots = layouts[machine] ?? {};
  const rows = 1 + Math.max(...Object.values(spots).map(([, row]) => row));
  const visited = new Set(taken.flatMap(({ from, to }) => [from, to]));
  const kindOf = (name: string): string => {
    if (name === state) return 'present';
    if (visited.has(name)) return 'visited';
    return possible.includes(name) ? 'next' : 'other';
  };
  const edges = [
    ...possible.map((to) => ({ from: state, to, kind: 'possible' })),
    ...taken.map((edge) => ({ ...edge, kind: 'taken' })),
  ];
  return (
    <svg
      viewBox={`0 0 ${maxColumns * stepX - gapX + 2 * margin} ${rows * stepY - gapY + 2 * margin}`}
      aria-hidden="true"
      ref={unfold}
    >
      {edges.map(({ from, to, kind }) => (
        <path key={`${kind} ${from} ${to}`} class={kind} d={pathOf(spots[from], spots[to])} />
      ))}
      {states.map((name) => boxOf(studio, name, kindOf(name), spots[name]))}
    </svg>
  );
}

function boxOf(studio: Studio, name: string, kind: string, place: Position = [0, 0]) {
  const [x, y] = cornerOf(place);
  return (
    <g key={name} class={`box ${kind} ${kind === 'present' ? (toneOf(studio, name) ?? '') : ''}`}>
      <rect x={x} y={y} width={boxWidth} height={boxHeight} rx={6} />
      <text x={x + boxWidth / 2} y={y + boxHeight / 2 + 4}>
        {name}
      </text>
    </g>
  );
}

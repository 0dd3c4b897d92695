import { places, type Place } from './chart-places.ts';

/** A state machine, as `GET /_backlot/machines` describes it. */
export interface Machine {
  readonly name: string;
  readonly states: readonly string[];
  readonly initial: string;
  readonly external: readonly string[];
  readonly transitions: readonly {
    readonly name: string;
    readonly from: readonly string[];
    readonly to: string;
  }[];
}

/** One state and the next. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

interface ChartProps {
  readonly machine: Machine;
  /** `payment 101`. */
  readonly title: string;
  readonly state: string;
  /** The way to the state, as far as the history knows it. */
  readonly taken: readonly Edge[];
  /** The states that can be next. */
  readonly possible: readonly string[];
}

const box = { width: 92, height: 28, gapX: 21, gapY: 20, margin: 3 };
/** All charts have the same width, so that their boxes have the same size. */
const maxColumns = 5;
const stepX = box.width + box.gapX;
const stepY = box.height + box.gapY;

/** A state chart: the present state lit, the way taken drawn, possible ones dashed. A list to a screen reader. */
export function Chart({ machine, title, state, taken, possible }: ChartProps) {
  const spots = places[machine.name] ?? {};
  const rows = 1 + Math.max(...Object.values(spots).map(([, row]) => row));
  const visited = new Set(taken.flatMap(({ from, to }) => [from, to]));
  const edges = [
    ...possible.map((to) => ({ from: state, to, kind: 'possible' })),
    ...taken.map((edge) => ({ ...edge, kind: 'taken' })),
  ];
  return (
    <figure class="chart">
      <figcaption>
        {title} <b>{state}</b>
      </figcaption>
      <svg
        viewBox={`0 0 ${maxColumns * stepX - box.gapX + 2 * box.margin} ${rows * stepY - box.gapY + 2 * box.margin}`}
        aria-hidden="true"
      >
        {edges.map(({ from, to, kind }) => (
          <path key={`${kind} ${from} ${to}`} class={kind} d={pathOf(spots, from, to)} />
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
      <ul class="unseen">
        {taken.length > 0 && <li>{`way taken: ${wayOf(taken)}`}</li>}
        <li>{`present state: ${state}`}</li>
        <li>{`possible next: ${possible.length === 0 ? 'none' : possible.join(', ')}`}</li>
      </ul>
    </figure>
  );
}

function wayOf(taken: readonly Edge[]): string {
  return [taken[0]?.from, ...taken.map(({ to }) => to)].join(' → ');
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
    <g class={`box ${kind}`}>
      <rect x={x} y={y} width={box.width} height={box.height} rx={6} />
      <text x={x + box.width / 2} y={y + box.height / 2 + 4}>
        {name}
      </text>
    </g>
  );
}

function cornerOf([column, row]: Place): readonly [x: number, y: number] {
  return [box.margin + column * stepX, box.margin + row * stepY];
}

/** A curve from one box to another: sideways between columns, around boxes in between, straight within a column. */
function pathOf(spots: Readonly<Record<string, Place>>, from: string, to: string): string {
  const start: Place = spots[from] ?? [0, 0];
  const end: Place = spots[to] ?? [0, 0];
  const [x1, y1] = cornerOf(start);
  const [x2, y2] = cornerOf(end);
  const [cx1, cx2] = [x1 + box.width / 2, x2 + box.width / 2];
  const [cy1, cy2] = [y1 + box.height / 2, y2 + box.height / 2];
  if (start[0] === end[0]) {
    const isDown = cy2 > cy1;
    return `M${cx1} ${isDown ? y1 + box.height : y1}L${cx2} ${isDown ? y2 : y2 + box.height}`;
  }
  const isForward = cx2 > cx1;
  if (start[1] === end[1] && Math.abs(start[0] - end[0]) > 1) {
    const top = y1 - box.gapY + 2;
    return `M${cx1} ${y1}C${cx1 + (cx2 - cx1) / 4} ${top} ${cx2 - (cx2 - cx1) / 4} ${top} ${cx2} ${y2}`;
  }
  const sx = isForward ? x1 + box.width : x1;
  const ex = isForward ? x2 : x2 + box.width;
  const bend = isForward ? box.gapX : -box.gapX;
  return `M${sx} ${cy1}C${sx + bend} ${cy1} ${ex - bend} ${cy2} ${ex} ${cy2}`;
}

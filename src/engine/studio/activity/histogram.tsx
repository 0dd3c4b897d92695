import { useRef, useState } from 'preact/hooks';
import { slow } from '../../journal/entry-filter.ts';
import { go, hrefWith, route } from '../route.ts';
import type { Summary } from '../source.ts';
import { toneOf } from '../tones.ts';
import { tookOf } from './rows.ts';

const [bars, height] = [90, 34];

interface Bin {
  readonly first: number;
  readonly last: number;
  readonly all: number;
  readonly bad: number;
  readonly warn: number;
}

/** The listed entries over the time of their arrival. Dragging over bars filters by their entries. */
export function Histogram({ entries }: { readonly entries: readonly Summary[] }) {
  const from = useRef(0);
  const [range, setRange] = useState<readonly [number, number]>();
  const bins = binsOf(entries);
  if (bins === undefined) return null;
  const highest = Math.max(...bins.map((bin) => bin?.all ?? 0));
  const barAt = ({ offsetX, currentTarget }: MouseEvent): number => {
    const { clientWidth } = currentTarget as Element;
    return Math.max(0, Math.min(bars - 1, Math.floor((offsetX / clientWidth) * bars)));
  };
  const select = () => {
    const [one = 0, other = 0] = range?.toSorted((left, right) => left - right) ?? [];
    const chosen = bins.slice(one, other + 1).filter((bin) => bin !== undefined);
    setRange(undefined);
    const [first, last] = [chosen[0]?.first, chosen.at(-1)?.last];
    if (first === undefined || last === undefined) return;
    const rest = (route.value.query.get('filter') ?? '').replace(/#\d+(-\d+)?\s*/, '');
    go(hrefWith({ filter: `#${first}-${last} ${rest}`.trim(), open: undefined }), 'replace');
  };
  const isIn = (at: number) =>
    range === undefined || (at >= Math.min(...range) && at <= Math.max(...range));
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${bars * 10} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerDown={(event) => {
        from.current = barAt(event);
        setRange([from.current, from.current]);
      }}
      onPointerMove={(event) => range !== undefined && setRange([from.current, barAt(event)])}
      onPointerUp={select}
      onPointerLeave={() => setRange(undefined)}
    >
      <rect class="sky" width={bars * 10} height={height} />
      {bins.map(
        (bin, at) =>
          bin !== undefined && <Bar key={at} at={at} bin={bin} highest={highest} isIn={isIn(at)} />,
      )}
    </svg>
  );
}

function Bar({
  at,
  bin: { all, bad, warn },
  highest,
  isIn,
}: {
  readonly at: number;
  readonly bin: Bin;
  readonly highest: number;
  readonly isIn: boolean;
}) {
  const scale = (count: number) => (count === 0 ? 0 : 3 + (count / highest) * (height - 6));
  const [whole, low, mid] = [scale(all), Math.min(8, scale(bad)), Math.min(8, scale(warn))];
  const bar = (tone: string, top: number, size: number) =>
    size > 0 && <rect class={tone} x={at * 10 + 1} y={top} width={8} height={size} />;
  return (
    <g class={isIn ? undefined : 'dim'}>
      {bar('plain', height - whole, whole)}
      {bar('bad', height - whole, low)}
      {bar('warn', height - whole + low, mid)}
    </g>
  );
}

/** Undefined if there is no time, or too little of it to draw. */
function binsOf(entries: readonly Summary[]): readonly (Bin | undefined)[] | undefined {
  const requests = entries.filter(({ received }) => received !== undefined);
  const [start = 0, end = 0] = [requests[0]?.received, requests.at(-1)?.received];
  if (requests.length < 2 || end <= start) return undefined;
  const bins = Array.from<Bin | undefined>({ length: bars });
  for (const entry of requests) {
    const { id, received = start, outcome } = entry;
    const at = Math.min(bars - 1, Math.floor(((received - start) / (end - start)) * bars));
    const { first = id, all = 0, bad = 0, warn = 0 } = bins[at] ?? {};
    const tone = toneOf(outcome);
    bins[at] = {
      first,
      last: id,
      all: all + 1,
      bad: bad + (tone === 'bad' ? 1 : 0),
      warn: warn + (tone === 'warn' || tookOf(entry) > slow ? 1 : 0),
    };
  }
  return bins;
}

import type { TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import { slowFrom } from '../../engine/journal/entry-filter.ts';
import { countOf } from '../format.ts';
import type { Summary } from '../source.ts';
import { toneOfEntry } from '../tones.ts';
import { nextPlace } from '../tabs.tsx';
import { useStudio, type Studio } from '../studio.ts';

const [bars, height] = [90, 34];

interface Bin {
  readonly first: number;
  readonly last: number;
  readonly all: number;
  readonly bad: number;
  readonly warn: number;
}

/** Undefined where nothing arrived. */
type Bins = readonly (Bin | undefined)[];

/**
 * The listed entries over the time of their arrival. Dragging over bars filters by their entries; so do the arrow keys, which
 * choose a bar and more of them with Shift, and Enter.
 */
export function Histogram({ entries }: { readonly entries: readonly Summary[] }) {
  const studio = useStudio();
  // The bar where it begins, and the one where it ends.
  const [range, setRange] = useState<Range>();
  const bins = binsOf(studio, entries);
  if (bins === undefined) return null;
  const barAt = ({ offsetX, currentTarget }: TargetedPointerEvent<Element>): number => {
    const { clientWidth } = currentTarget;
    return Math.max(0, Math.min(bars - 1, Math.floor((offsetX / clientWidth) * bars)));
  };
  const select = () => {
    setRange(undefined);
    if (range !== undefined) filterBy(studio, bins.slice(...endsOf(range)));
  };
  const at = range?.[1] ?? bars - 1;
  return (
    <div
      class="spark"
      role="slider"
      tabIndex={0}
      aria-label="Requests over time. Shift and arrow keys choose a range, Enter filters by it"
      aria-valuemin={1}
      aria-valuemax={bars}
      aria-valuenow={at + 1}
      aria-valuetext={describe(bins.slice(...endsOf(range ?? [at, at])))}
      onPointerDown={(event) => setRange([barAt(event), barAt(event)])}
      onPointerMove={(event) => range && event.buttons > 0 && setRange([range[0], barAt(event)])}
      onPointerUp={select}
      onPointerLeave={() => setRange(undefined)}
      onBlur={() => setRange(undefined)}
      onKeyDown={(event) => {
        const next = nextRange(event, range);
        if (event.key === 'Enter') select();
        else if (next === undefined) return;
        else setRange(next === 'none' ? undefined : next);
        event.preventDefault();
      }}
    >
      {barsOf(bins, range)}
    </div>
  );
}

type Range = readonly [from: number, to: number];

function endsOf([one, other]: Range): [from: number, end: number] {
  return [Math.min(one, other), Math.max(one, other) + 1];
}

/** Returns the range that a key leads to, undefined if the key does nothing. */
function nextRange(
  { key, shiftKey }: KeyboardEvent,
  range: Range | undefined,
): Range | 'none' | undefined {
  if (key === 'Escape') return range === undefined ? undefined : 'none';
  const last = bars - 1;
  const at = range?.[1] ?? last + 1;
  const to = nextPlace(key, at, last);
  if (to === undefined) return undefined;
  const bar = Math.max(0, Math.min(last, to));
  return [shiftKey ? (range?.[0] ?? bar) : bar, bar];
}

/** `12 requests, 2 errors, 1 slow or declined` */
function describe(bins: Bins): string {
  const sum = (name: 'all' | 'bad' | 'warn') =>
    bins.reduce((total, bin) => total + (bin?.[name] ?? 0), 0);
  return `${countOf(sum('all'), 'request')}, ${countOf(sum('bad'), 'error')}, ${sum('warn')} slow or declined`;
}

function filterBy(studio: Studio, chosen: Bins): void {
  const known = chosen.filter((bin) => bin !== undefined);
  const [first, last] = [known[0]?.first, known.at(-1)?.last];
  if (first === undefined || last === undefined) return;
  const rest = (studio.router.route.value.query.get('filter') ?? '').replace(/#\d+(-\d+)?\s*/, '');
  studio.router.go(
    studio.router.hrefWith({ filter: `#${first}-${last} ${rest}`.trim(), open: undefined }),
    'replace',
  );
}

function barsOf(bins: Bins, range: Range | undefined) {
  const [from, end] = endsOf(range ?? [0, bars - 1]);
  const highest = Math.max(...bins.map((bin) => bin?.all ?? 0));
  return (
    <svg viewBox={`0 0 ${bars * 10} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {range !== undefined && (
        <rect class="chosen" x={from * 10} width={(end - from) * 10} height={height} />
      )}
      {bins.map(
        (bin, at) =>
          bin !== undefined && (
            <g key={at} class={at >= from && at < end ? undefined : 'dim'}>
              {barOf(bin, at, highest)}
            </g>
          ),
      )}
    </svg>
  );
}

function barOf({ all, bad, warn }: Bin, at: number, highest: number) {
  const scale = (count: number) => (count === 0 ? 0 : 3 + (count / highest) * (height - 6));
  const [whole, low, mid] = [scale(all), Math.min(8, scale(bad)), Math.min(8, scale(warn))];
  const bar = (tone: string, top: number, size: number) =>
    size > 0 && <rect class={tone} x={at * 10 + 1} y={top} width={8} height={size} />;
  return [
    bar('plain', height - whole, whole),
    bar('bad', height - whole, low),
    bar('warn', height - whole + low, mid),
  ];
}

/** Undefined if there is no time, or too little of it to draw. */
function binsOf(studio: Studio, entries: readonly Summary[]): Bins | undefined {
  const requests = entries.filter(({ received }) => received !== undefined);
  const [start = 0, end = 0] = [requests[0]?.received, requests.at(-1)?.received];
  if (requests.length < 2 || end <= start) return undefined;
  const bins = Array.from<Bin | undefined>({ length: bars });
  for (const entry of requests) {
    const { id, received = start } = entry;
    const at = Math.min(bars - 1, Math.floor(((received - start) / (end - start)) * bars));
    const { first = id, all = 0, bad = 0, warn = 0 } = bins[at] ?? {};
    const tone = toneOfEntry(studio, entry);
    bins[at] = {
      first,
      last: id,
      all: all + 1,
      bad: bad + (tone === 'bad' ? 1 : 0),
      warn: warn + (tone === 'warn' || (entry.ms ?? 0) > slowFrom ? 1 : 0),
    };
  }
  return bins;
}

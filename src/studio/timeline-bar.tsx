import { lostChanges } from '../engine/lib/lost-text.ts';
import { capitalize, countOf } from './format.ts';
import { describeChanges } from './rewind-effects.ts';
import type { Stop } from './preview.ts';
import type { Timeline } from './source.ts';
import { toneOf } from './tones.ts';
import { Button } from './ui.tsx';
import { useStudio, type Studio } from './studio.ts';

const empty: Timeline = {
  position: 0,
  of: 0,
  changesFrom: 1,
  entriesFrom: 1,
  idsInEffect: [],
  bins: [],
};

/**
 * The time line: dragging it previews an earlier or later state, letting go restores that state. It has its place before
 * there is a change, too, because what is below would move under the pointer.
 */
export function TimelineBar() {
  const studio = useStudio();
  const known = studio.shop.timeline.value ?? empty;
  if (!studio.shop.hasHistory.value) return null;
  const { position, changesFrom } = known;
  const gone = lostChanges(changesFrom);
  const stops = stopsOf(known);
  const present = Math.max(
    0,
    stops.findLastIndex((stop) => stop.position <= position),
  );
  const at = studio.preview.shown.value;
  const previewed = stops.findIndex(({ id, to }) => id === at?.id && to === at.to);
  const shown = previewed === -1 ? present : previewed;
  return (
    <section aria-label="Time line" class={`timeline${shown === present ? '' : ' previewing'}`}>
      <label class="where" for="timeline">
        {stops.length > 0 && (
          <>
            <b style={{ minWidth: `${8 + String(stops.at(-1)?.id).length}ch` }}>
              {describeStop(stops[shown])}
            </b>
            {' · '}
          </>
        )}
        {countText(known)}
        {gone !== undefined && <small>{gone}</small>}
      </label>
      {tapeOf(studio, known, stops, present, shown)}
      {undoRedo(studio, known)}
      {shown !== present && <Hint position={position} />}
    </section>
  );
}

/** One tick for each change: its height is the number of records, its colour what it was. Undone ones are faint. */
function tapeOf(
  studio: Studio,
  { bins, changesFrom }: Timeline,
  stops: readonly Stop[],
  present: number,
  shown: number,
) {
  const gone = lostChanges(changesFrom);
  const most = Math.max(1, ...bins.map(({ records }) => records));
  const ticks = 1 + Math.max(0, ...bins.map((_, at) => othersBefore(bins, at)));
  const release = async (at: number) => {
    const stop = stops[at];
    try {
      if (at !== present && stop !== undefined) await studio.actions.rewind(stop.id, stop.to);
    } finally {
      studio.preview.shown.value = undefined;
    }
  };
  return (
    <div class="tape" style={{ maxWidth: `${Math.max(4, bins.length) * ticks * 32 + 12}px` }}>
      <svg viewBox={`0 0 ${bins.length * 10} 30`} preserveAspectRatio="none" aria-hidden="true">
        {bins.map((bin, at) => (
          <g key={bin.to} class={at >= shown ? 'dim' : undefined}>
            {ticksOf(studio, bin, at, othersBefore(bins, at), most, 10 / ticks)}
          </g>
        ))}
      </svg>
      {gone !== undefined && (
        <svg class="torn" viewBox="0 0 6 38" aria-hidden="true">
          <path d="M5 0 1 5l4 5-4 5 4 5-4 5 4 5-4 5 3 3" />
        </svg>
      )}
      <input
        id="timeline"
        type="range"
        min={0}
        max={Math.max(0, stops.length - 1)}
        value={shown}
        disabled={stops.length === 0}
        aria-valuetext={describeStop(stops[shown])}
        onPointerMove={({ offsetX, currentTarget }) => {
          const at = Math.floor(((offsetX - 6) / (currentTarget.clientWidth - 12)) * bins.length);
          currentTarget.title = (at < 0 ? gone : undefined) ?? nameOf(studio, bins[at]);
        }}
        onInput={({ currentTarget: { valueAsNumber: at } }) => {
          const stop = stops[at];
          if (stop !== undefined) void studio.preview.show(stop);
        }}
        onChange={({ currentTarget }) => void release(currentTarget.valueAsNumber)}
      />
    </div>
  );
}

type Bins = Timeline['bins'];

/** The number of grey ticks in front of a change: one for each other entry, up to two, or one where there is little room. */
function othersBefore(bins: Bins, at: number): number {
  const [before, bin] = [bins[at - 1], bins[at]];
  const others = (bin?.to ?? 0) - (before?.to ?? 0) - (bin?.changes ?? 0);
  return Math.min(others, bins.length > 24 ? 1 : 2);
}

/** A change, behind low grey ticks if other entries precede it: reads, and what was refused or undone. */
function ticksOf(
  studio: Studio,
  { records, kind }: Bins[number],
  at: number,
  others: number,
  most: number,
  width: number,
) {
  const height = 8 + (Math.log1p(records) / Math.log1p(most)) * 22;
  const tick = (tone: string | undefined, place: number, size: number) => (
    <rect
      key={place}
      class={tone}
      x={(at + 1) * 10 - place * width}
      y={30 - size}
      width={width - 0.3}
      height={size}
    />
  );
  return [
    ...Array.from({ length: others }, (_, one) => tick('plain', one + 2, 4)),
    tick(toneOf(studio, kind ?? 'ok'), 1, height),
  ];
}

/** `#12 PUT /api/checkouts/3: order → pending`, as far as the page knows the entry. */
function nameOf(studio: Studio, bin: Bins[number] | undefined): string {
  if (bin === undefined) return '';
  const entry = studio.history.summaries.value.find(({ id }) => id === bin.to);
  const more = bin.changes > 1 ? `${bin.changes} changes up to ` : '';
  if (entry === undefined) return `${more}#${bin.to}`;
  return `${more}#${bin.to} ${entry.title}${entry.meaning === undefined ? '' : `: ${entry.meaning}`}`;
}

/** Leads over the last change and over the next one. One that is not of this page is named. */
function undoRedo(studio: Studio, { undo, redo }: Timeline) {
  return (
    <>
      {undo !== undefined && !studio.history.isOwn(undo) && (
        <span class="last" title={undo.title}>{`not by this page: ${undo.title}`}</span>
      )}
      <span class="row undo">
        <Button
          of={undo?.title}
          title={`Undo ${undo?.title ?? ''}`}
          disabled={undo === undefined}
          onClick={() => undo && studio.actions.undo(undo.id, undo.title)}
        >
          <span aria-hidden="true">↶ </span>
          {`Undo ${undo?.step ?? ''}`.trim()}
        </Button>
        <Button
          of={redo?.title}
          title={`Redo ${redo?.title ?? ''}`}
          disabled={redo === undefined}
          onClick={() => redo && studio.actions.redo(redo.id, redo.title, 'after')}
        >
          <span aria-hidden="true">↷ </span>Redo
        </Button>
      </span>
    </>
  );
}

/** The states that the slider leads to: that before the first change, and one for each bin. */
function stopsOf({ bins }: Timeline): readonly Stop[] {
  const [first] = bins;
  if (first === undefined) return [];
  const { from: id, position, changes } = first;
  return [
    { id, to: 'before', position: position - changes },
    ...bins.map((bin): Stop => ({ id: bin.to, to: 'after', position: bin.position })),
  ];
}

/** The effects of letting go. */
function Hint({ position }: { readonly position: number }) {
  const studio = useStudio();
  const stop = studio.preview.shown.value;
  if (stop?.refused !== undefined) return <span class="hint">{stop.refused}</span>;
  if (stop?.effects === undefined) return <span class="hint">…</span>;
  const { id, to, effects } = stop;
  const isBack = stop.position < position;
  // The effects are those on other entries.
  const own = isBack && to === 'after' ? [] : [id];
  const ids = [...(isBack ? effects.undone : effects.redone).ids, ...own];
  const changes = describeChanges(studio, Math.abs(position - stop.position), ids);
  return <span class="hint">{`Let go to ${isBack ? 'take' : 'bring'} back ${changes}`}</span>;
}

/** `After #14` */
function describeStop(stop: Stop | undefined): string {
  return stop === undefined ? '' : `${capitalize(stop.to)} #${stop.id}`;
}

/** The number of changes: `8 changes, 1 undone`, `last 200 of 350 changes`. */
function countText({ position, of, bins }: Timeline): string {
  if (of === 0) return 'No changes yet';
  const kept = bins.reduce((sum, { changes }) => sum + changes, 0);
  const all = kept < of ? `last ${kept} of ${countOf(of, 'change')}` : countOf(of, 'change');
  return of > position ? `${all}, ${of - position} undone` : all;
}

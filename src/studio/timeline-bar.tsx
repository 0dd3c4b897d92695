import { capitalize } from '../engine/lib/words.ts';
import { useRef, useState } from 'preact/hooks';
import { lostChanges } from '../engine/lib/lost-text.ts';
import { sentenceIn } from './entries.ts';
import { countOf } from './format.ts';
import { describeChanges } from './rewind-effects.ts';
import type { Stop } from './preview.ts';
import type { Summary, Timeline } from './source.ts';
import { toneOf, toneOfEntry } from './tones.ts';
import { Button } from './ui.tsx';
import { useStudio, type Studio } from './studio.ts';

/** The time line: dragging it previews an earlier or later state, letting go restores that state. */
export function TimelineBar() {
  const studio = useStudio();
  // The place of the pointer: -1 is in front of the first slot.
  const [hovered, setHovered] = useState<number>();
  const isTakenBack = useRef(false);
  const known = studio.shop.timeline.value;
  if (known === undefined || known.bins.length === 0) return null;
  const { position, changesFrom, bins } = known;
  const gone = lostChanges(changesFrom);
  const stops = stopsOf(known);
  const slots = slotsOf(studio, known);
  const present = Math.max(
    0,
    stops.findLastIndex((stop) => stop.position <= position),
  );
  const at = studio.preview.shown.value;
  const previewed = stops.findIndex(({ id, to }) => id === at?.id && to === at.to);
  const shown = previewed === -1 ? present : previewed;
  const named = hovered ?? shown - 1;
  const latest = studio.history.latest.value;
  const place = `${Math.round((100 * (named + 1)) / Math.max(1, slots.length))}%`;
  return (
    <section aria-label="Time line" class={`timeline${shown === present ? '' : ' previewing'}`}>
      <label class="unseen" for="timeline">
        {[describeStop(stops[shown]), countText(known), gone ?? []].flat().join(' · ')}
      </label>
      <div class="row">
        <p class="name">
          <span style={{ '--place': place }}>
            {shown !== present && <Hint position={position} />}
            {hovered === undefined && shown === present && latest !== undefined
              ? `#${latest.id} ${sentenceIn(studio, latest)}`
              : named < 0
                ? (gone ?? describeStop(stops[0]))
                : nameOf(studio, bins[named], slots[named])}
          </span>
        </p>
        {undoRedo(studio, known)}
      </div>
      {tapeOf(studio, known, { stops, slots, present, shown, isTakenBack }, setHovered)}
    </section>
  );
}

interface Tape {
  readonly stops: readonly Stop[];
  readonly slots: readonly Slot[];
  readonly present: number;
  readonly shown: number;
  /** Whether Escape has taken back what is dragged, until it is let go. */
  readonly isTakenBack: { current: boolean };
}

/**
 * One slot for each change: its height is the number of records, its colour what it was. Below the line is what changed nothing
 * before it. Undone ones are faint.
 */
function tapeOf(
  studio: Studio,
  { bins, changesFrom }: Timeline,
  { stops, slots, present, shown, isTakenBack }: Tape,
  onHover: (at: number | undefined) => void,
) {
  const gone = lostChanges(changesFrom);
  const step = Math.ceil(bins.length / maxNumbers);
  const release = async (at: number) => {
    const stop = stops[at];
    try {
      if (at !== present && stop !== undefined) await studio.actions.rewind(stop.id, stop.to);
    } finally {
      studio.preview.shown.value = undefined;
    }
  };
  return (
    <div class="tape" style={{ '--reach': bins.length / Math.max(1, slots.length) }}>
      {gone !== undefined && (
        <svg class="torn" viewBox="0 0 6 38" aria-hidden="true">
          <path d="M5 0 1 5l4 5-4 5 4 5-4 5 4 5-4 5 3 3" />
        </svg>
      )}
      <div class="slots" aria-hidden="true">
        {slots.map(({ id, tone = '', othersTone = 'plain', others, up }, at) => (
          <i
            key={id}
            class={`${tone} others-${othersTone}${at >= shown && at < bins.length ? ' dim' : ''}`}
            style={{ '--up': up, '--down': heightOf(others) }}
          >
            {numberOf(id, bins.length - 1 - at, step)}
          </i>
        ))}
      </div>
      <input
        id="timeline"
        type="range"
        min={0}
        max={stops.length - 1}
        value={shown}
        aria-valuetext={describeStop(stops[shown])}
        onPointerDown={() => (isTakenBack.current = false)}
        onKeyDown={({ key, currentTarget }) => {
          isTakenBack.current = key === 'Escape';
          if (!isTakenBack.current) return;
          studio.preview.shown.value = undefined;
          currentTarget.valueAsNumber = present;
        }}
        onPointerMove={({ offsetX, currentTarget }) => {
          const at = Math.floor(((offsetX - 6) / (currentTarget.clientWidth - 12)) * bins.length);
          onHover(Math.max(-1, Math.min(at, slots.length - 1)));
        }}
        onPointerLeave={() => onHover(undefined)}
        onInput={({ currentTarget }) => {
          if (isTakenBack.current) currentTarget.valueAsNumber = present;
          const stop = stops[currentTarget.valueAsNumber];
          if (stop !== undefined && !isTakenBack.current) void studio.preview.show(stop);
        }}
        onChange={({ currentTarget }) => {
          if (!isTakenBack.current) void release(currentTarget.valueAsNumber);
          isTakenBack.current = false;
        }}
      />
    </div>
  );
}

/** The height below the line, from 0 to 1. */
function heightOf(others: number): number {
  return others === 0 ? 0 : Math.min(1, 0.3 + Math.log1p(others) / 6);
}

/** The maximum number of ticks with a number below them. */
const maxNumbers = 20;

/** @param place counted from the last change. Narrow pages have half of the numbers */
function numberOf(id: number, place: number, step: number) {
  if (place < 0 || place % step !== 0) return null;
  return <b class={place % (2 * step) === 0 ? undefined : 'roomy'}>{id}</b>;
}

/** A change on the tape, and the other entries before it: reads, and what was rejected or undone. The last may have these alone. */
interface Slot {
  readonly id: number;
  readonly tone: string | undefined;
  /** The tone of the worst of the others, if one was rejected or declined. */
  readonly othersTone: string | undefined;
  readonly others: number;
  /** The height above the line, from 0 to 1. */
  readonly up: number;
}

function slotsOf(studio: Studio, { bins }: Timeline): readonly Slot[] {
  const newest = studio.history.lastId.value;
  const last = bins.at(-1)?.to ?? newest;
  const most = Math.max(1, ...bins.map(({ records }) => records));
  const tones = othersTones(studio, bins);
  const changes = bins.map(({ to, changes: count, records, kind = 'ok' }, at) => ({
    id: to,
    tone: toneOf(studio, kind),
    othersTone: tones[at],
    others: Math.max(0, to - (bins[at - 1]?.to ?? 0) - count),
    up: 0.25 + (0.75 * Math.log1p(records)) / Math.log1p(most),
  }));
  if (newest <= last) return changes;
  const othersTone = tones[bins.length];
  return [...changes, { id: newest, tone: undefined, othersTone, others: newest - last, up: 0 }];
}

/** The worst tone of the listed entries in each slot that changed nothing. */
function othersTones(studio: Studio, bins: Bins): readonly (string | undefined)[] {
  const tones: (string | undefined)[] = [];
  let at = 0;
  for (const entry of studio.history.summaries.value) {
    while (entry.id > (bins[at]?.to ?? Infinity)) at++;
    if (entry.by !== 'request' || entry.changed > 0) continue;
    const tone = toneOfEntry(studio, entry);
    if (tone === 'bad' || (tone === 'warn' && tones[at] === undefined)) tones[at] = tone;
  }
  return tones;
}

type Bins = Timeline['bins'];

/** `#12 You shipped order 119`, as far as the page knows the entry, or the number of entries that changed nothing. */
function nameOf(studio: Studio, bin: Bins[number] | undefined, slot: Slot | undefined): string {
  if (bin === undefined) return `${slot?.others} other ${slot?.others === 1 ? 'entry' : 'entries'}`;
  const entry = studio.history.find(bin.to);
  const sentence = entry === undefined ? '' : ` ${sentenceIn(studio, entry)}`;
  return `${bin.changes > 1 ? `${bin.changes} changes up to ` : ''}#${bin.to}${sentence}`;
}

/** Leads over the last change and over the next one. Undo stays in its place while Redo comes and goes. */
function undoRedo(studio: Studio, { undo, redo }: Timeline) {
  const button = (sign: string, entry: Summary, to: 'before' | 'after', title: string) => {
    const of = sentenceIn(studio, entry);
    return (
      <Button of={of} title={of} onClick={() => studio.actions.rewind(entry.id, to)}>
        <span aria-hidden="true">{`${sign} `}</span>
        {title}
      </Button>
    );
  };
  return (
    <span class="row undo">
      {redo && button('↷', redo, 'after', 'Redo')}
      {undo && button('↶', undo, 'before', `Undo ${undo.step ?? ''}`.trim())}
    </span>
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
  if (stop?.refused !== undefined) return <b>{`${stop.refused} `}</b>;
  if (stop?.effects === undefined) return <b>… </b>;
  const { id, to, effects } = stop;
  const isBack = stop.position < position;
  // The effects are those on other entries.
  const own = isBack && to === 'after' ? [] : [id];
  const ids = [...(isBack ? effects.undone : effects.redone).ids, ...own];
  const changes = describeChanges(studio, Math.abs(position - stop.position), ids);
  return <b>{`Let go to ${isBack ? 'take' : 'bring'} back ${changes}. `}</b>;
}

/** `After #14` */
function describeStop(stop: Stop | undefined): string {
  return stop === undefined ? '' : `${capitalize(stop.to)} #${stop.id}`;
}

/** The number of changes: `8 changes, 1 undone`, `last 200 of 350 changes`. */
function countText({ position, of, bins }: Timeline): string {
  const kept = bins.reduce((sum, { changes }) => sum + changes, 0);
  const all = kept < of ? `last ${kept} of ${countOf(of, 'change')}` : countOf(of, 'change');
  return of > position ? `${all}, ${of - position} undone` : all;
}

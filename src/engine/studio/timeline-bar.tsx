import { describeChanges, preview, showPreview, type Stop } from './past.ts';
import type { Timeline } from './source.ts';
import { hasHistory, isOwn, rewind, timeline } from './store.ts';
import { Button } from './ui.tsx';

const empty: Timeline = { position: 0, of: 0, idsInEffect: [], bins: [] };

/**
 * The time line: dragging it previews an earlier or later state, letting go restores that state. It has its place before
 * there is a change, too, because what is below would move under the pointer.
 */
export function TimelineBar() {
  const known = timeline.value ?? empty;
  if (!hasHistory.value) return null;
  const { position, of } = known;
  const stops = stopsOf(known);
  const present = Math.max(
    0,
    stops.findLastIndex((stop) => stop.position <= position),
  );
  const previewed = stops.findIndex(
    ({ id, to }) => id === preview.value?.id && to === preview.value.to,
  );
  const shown = previewed === -1 ? present : previewed;
  const release = async (at: number) => {
    const stop = stops[at];
    try {
      if (at !== present && stop !== undefined) await rewind(stop.id, stop.to);
    } finally {
      preview.value = undefined;
    }
  };
  return (
    <section aria-label="Time line" class={`timeline${shown === present ? '' : ' previewing'}`}>
      <label class="where" for="timeline">
        {of === 0 ? (
          'No changes yet'
        ) : (
          <>
            Shop as of change <b>{shown === present ? position : stops[shown]?.position}</b> of{' '}
            <b>{of}</b>
          </>
        )}
      </label>
      <input
        id="timeline"
        type="range"
        min={0}
        max={Math.max(0, stops.length - 1)}
        value={shown}
        disabled={stops.length === 0}
        aria-valuetext={describeStop(stops[shown])}
        onInput={({ currentTarget: { valueAsNumber: at } }) => {
          const stop = stops[at];
          if (stop !== undefined) void showPreview(stop);
        }}
        onChange={({ currentTarget }) => void release(currentTarget.valueAsNumber)}
      />
      <UndoRedo timeline={known} />
      {shown !== present && <Hint position={position} />}
    </section>
  );
}

/** Names the last change, and leads over it and over the next one. */
function UndoRedo({ timeline: { undo, redo } }: { readonly timeline: Timeline }) {
  return (
    <>
      {undo !== undefined && (
        <span class={isOwn(undo.id) ? 'last roomy' : 'last'} title={undo.title}>
          {isOwn(undo.id) ? undo.title : `not by this page: ${undo.title}`}
        </span>
      )}
      <span class="row">
        <Button
          of={undo?.title}
          title={`Undo ${undo?.title ?? ''}`}
          disabled={undo === undefined}
          onClick={() => rewind(undo?.id ?? 0, 'before')}
        >
          Undo
        </Button>
        <Button
          of={redo?.title}
          title={`Redo ${redo?.title ?? ''}`}
          disabled={redo === undefined}
          onClick={() => rewind(redo?.id ?? 0, 'after')}
        >
          Redo
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

/** What letting go would do. */
function Hint({ position }: { readonly position: number }) {
  const stop = preview.value;
  if (stop?.effects === undefined) return <span class="hint">…</span>;
  const { id, to, effects } = stop;
  const isBack = stop.position < position;
  // The effects are those on other entries.
  const own = isBack && to === 'after' ? [] : [id];
  const ids = [...(isBack ? effects.undone : effects.redone).ids, ...own];
  const changes = describeChanges(Math.abs(position - stop.position), ids);
  return <span class="hint">{`Let go to ${isBack ? 'take' : 'bring'} back ${changes}`}</span>;
}

function describeStop(stop: Stop | undefined): string {
  if (stop === undefined) return 'before the first change';
  return `change ${stop.position}, ${stop.to} #${stop.id}`;
}

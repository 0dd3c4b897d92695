import type { Summary } from './source.ts';
import type { Timeline } from './timeline.ts';
import { describeChanges, goToPosition, hasHistory, isOwn, preview, timeline } from './store.ts';
import { Button } from './ui.tsx';

/**
 * The time line: dragging it previews an earlier or later state, letting go restores that state. It has its place before
 * there is a change, too, because what is below would move under the pointer.
 */
export function TimelineBar() {
  const { points, position } = timeline.value;
  if (!hasHistory.value) return null;
  const shown = preview.value ?? position;
  const last = points[position - 1];
  const next = points[position];
  return (
    <section aria-label="Time line" class={`timeline${shown === position ? '' : ' previewing'}`}>
      <label class="where" for="timeline">
        {points.length === 0 ? (
          'No changes yet'
        ) : (
          <>
            Shop as of change <b>{shown}</b> of <b>{points.length}</b>
          </>
        )}
      </label>
      <input
        id="timeline"
        type="range"
        min={0}
        max={points.length}
        value={shown}
        disabled={points.length === 0}
        aria-valuetext={describePoint(points[shown - 1])}
        onInput={(event) => (preview.value = Number(event.currentTarget.value))}
        onChange={(event) => void release(Number(event.currentTarget.value))}
      />
      {last !== undefined && (
        <span class={isOwn(last) ? 'last roomy' : 'last'} title={last.title}>
          {isOwn(last) ? last.title : `not by this page: ${last.title}`}
        </span>
      )}
      <span class="row">
        <Button
          of={last?.title}
          title={`Undo ${last?.title ?? ''}`}
          disabled={position === 0}
          onClick={() => goToPosition(position - 1)}
        >
          Undo
        </Button>
        <Button
          of={next?.title}
          title={`Redo ${next?.title ?? ''}`}
          disabled={next === undefined}
          onClick={() => goToPosition(position + 1)}
        >
          Redo
        </Button>
      </span>
      <Hint timeline={timeline.value} shown={shown} />
    </section>
  );
}

async function release(position: number): Promise<void> {
  try {
    if (position !== timeline.value.position) await goToPosition(position);
  } finally {
    preview.value = undefined;
  }
}

/** What letting go would do. */
function Hint({ timeline: { points, position }, shown }: HintProps) {
  if (shown === position) return null;
  const between = shown < position ? points.slice(shown, position) : points.slice(position, shown);
  return (
    <span class="hint">
      {`Let go to ${shown < position ? 'take' : 'bring'} back ${describeChanges(between)}`}
    </span>
  );
}

interface HintProps {
  readonly timeline: Timeline;
  readonly shown: number;
}

function describePoint(point: Summary | undefined): string {
  return point === undefined ? 'before the first change' : `after #${point.id}, ${point.title}`;
}

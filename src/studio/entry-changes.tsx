import { singularOf } from '../engine/lib/words.ts';
import { useState } from 'preact/hooks';
import type { RecordChange } from '../engine/office/changes.ts';
import type { Entry } from './entries.ts';
import { countOf, formatValue } from './format.ts';
import { toneOf } from './tones.ts';
import { Button } from './ui.tsx';
import { useStudio, type Studio } from './studio.ts';
import { beginningOf } from '../engine/lib/problem.ts';

const shownChanges = 12;

/** The changes of an entry: what each record was, and what it is. */
export function Changes({
  entry: { changes, moves },
  about,
}: {
  readonly entry: Entry;
  readonly about: ReadonlySet<string>;
}) {
  const studio = useStudio();
  const [isWhole, setWhole] = useState(false);
  const rank = ({ table, id }: RecordChange) => (about.has(`${table}/${id}`) ? 0 : 1);
  const sorted = changes.toSorted(
    (one, other) => rank(one) - rank(other) || one.table.localeCompare(other.table),
  );
  const shown = isWhole ? sorted : sorted.slice(0, shownChanges);
  return (
    <>
      {!studio.shop.hasHistory.value && <p class="soft">This server records no changes.</p>}
      {studio.shop.hasHistory.value && changes.length === 0 && (
        <p class="soft">Nothing was changed.</p>
      )}
      {shown.length > 0 && (
        <ul class="changes" aria-label="Changes">
          {shown.map((change) => changeOf(studio, change, moves))}
        </ul>
      )}
      {shown.length < changes.length && (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          {`Show ${countOf(changes.length - shown.length, 'more record')}`}
        </Button>
      )}
    </>
  );
}

const kinds = { add: ['+', 'new'], change: ['±', 'changed'], delete: ['−', 'deleted'] } as const;
/** Fields that every write changes. */
const incidental = ['updated_at', 'created_at', 'id'];

/** One record before → after. */
function changeOf(
  studio: Studio,
  { table, id, kind, fields }: RecordChange,
  moves: Entry['moves'],
) {
  const telling = fields.filter(({ field }) => !incidental.includes(field));
  const shown = kind === 'change' && telling.length === 0 ? fields : telling;
  const [sign, word] = kinds[kind];
  return (
    <li key={`${table}/${id}`} class={kind}>
      <span class="record">
        <span aria-hidden="true">{sign} </span>
        <a href={studio.router.hrefToRecord(table, id)}>{`${singularOf(table)} ${id}`}</a>
        <span class="unseen"> {word}</span>
      </span>
      <ul class="values">
        {kind === 'delete' ? (
          <li class="bad">deleted</li>
        ) : (
          shown.map(({ field, before, after }) => {
            const isState = moves.some(({ from, to }) => from === before && to === after);
            return (
              <li key={field}>
                <code>{field}</code>{' '}
                {kind !== 'add' && (
                  <>
                    <del>{shorten(before)}</del>
                    <span aria-hidden="true"> → </span>
                    <span class="unseen"> to </span>
                  </>
                )}
                <ins class={isState ? toneOf(studio, after) : undefined}>{shorten(after)}</ins>
              </li>
            );
          })
        )}
      </ul>
    </li>
  );
}

function shorten(value: unknown): string {
  const text = formatValue(value);
  return text.length > 120 ? `${beginningOf(text, 119)}…` : text;
}

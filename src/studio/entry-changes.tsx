import { useState } from 'preact/hooks';
import type { RecordChange } from '../engine/office/changes.ts';
import type { Entry } from './entries.ts';
import { countOf, formatValue, singularOf } from './format.ts';
import { toneOf } from './tones.ts';
import { Button } from './ui.tsx';
import { useStudio, type Studio } from './studio.ts';

const shownChanges = 12;

/** The changes of an entry, and the states that it led to. */
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
      {moves.length > 0 && movesOf(studio, moves, about)}
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
                    <del class={classOf(studio, before, isState)}>{shorten(before)}</del>
                    <span aria-hidden="true"> → </span>
                    <span class="unseen"> to </span>
                  </>
                )}
                <ins class={classOf(studio, after, isState)}>{shorten(after)}</ins>
              </li>
            );
          })
        )}
      </ul>
    </li>
  );
}

/** A state has its own tone, before and after: green and red of a change would say the opposite of some. */
function classOf(studio: Studio, value: unknown, isState: boolean): string | undefined {
  if (value === undefined) return 'unset';
  return isState ? `state ${toneOf(studio, value) ?? ''}` : undefined;
}

function shorten(value: unknown): string {
  const text = formatValue(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** The moves, first those of the records in question. */
function movesOf(studio: Studio, moves: Entry['moves'], about: ReadonlySet<string>) {
  // A machine has the name of one of its records.
  const titles = new Set(
    Array.from(about, (key) => {
      const [table = '', id] = key.split('/');
      return `${singularOf(table)} ${id}`;
    }),
  );
  const named = moves.map((move) => ({
    ...move,
    name: `${move.machine.replace('_', ' ')} ${move.id}`,
  }));
  const [others = [], own = []] = [false, true].map((is) =>
    named.filter(({ name }) => titles.has(name) === is),
  );
  return (
    <p class="moves">
      <span class="soft">Moves: </span>
      {[...own, ...others].slice(0, 20).map(({ name, from, to }, at) => (
        <span key={at} class="move">
          {`${name} `}
          {from !== undefined && `${from} → `}
          <b class={toneOf(studio, to)}>{to}</b>
        </span>
      ))}
      {moves.length > 20 && <span class="soft">{` and ${moves.length - 20} more`}</span>}
    </p>
  );
}

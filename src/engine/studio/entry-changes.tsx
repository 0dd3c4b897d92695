import { useState } from 'preact/hooks';
import type { RecordChange } from '../office/changes.ts';
import type { Entry } from './entries.ts';
import { countOf, formatValue, singularOf } from './format.ts';
import { hrefToRecord } from './route.ts';
import { hasHistory } from './store.ts';
import { toneOf } from './tones.ts';
import { Button } from './ui.tsx';

const shownChanges = 12;

interface AboutProps {
  readonly entry: Entry;
  readonly about: ReadonlySet<string>;
}

/** What an entry changed, and the states that it led to. */
export function Changes(props: AboutProps) {
  return (
    <>
      <Records {...props} />
      <Moves {...props} />
    </>
  );
}

function Records({ entry: { changes }, about }: AboutProps) {
  const [isWhole, setWhole] = useState(false);
  if (!hasHistory.value) return <p class="soft">This server records no changes.</p>;
  if (changes.length === 0) return <p class="soft">Nothing was changed.</p>;
  const rank = ({ table, id }: RecordChange) => (about.has(`${table}/${id}`) ? 0 : 1);
  const sorted = changes.toSorted(
    (one, other) => rank(one) - rank(other) || one.table.localeCompare(other.table),
  );
  const shown = isWhole ? sorted : sorted.slice(0, shownChanges);
  return (
    <>
      <ul class="changes" aria-label="Changes">
        {shown.map((change) => (
          <Change key={`${change.table}/${change.id}`} change={change} />
        ))}
      </ul>
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
function Change({ change: { table, id, kind, fields } }: { readonly change: RecordChange }) {
  const telling = fields.filter(({ field }) => !incidental.includes(field));
  const shown = kind === 'change' && telling.length === 0 ? fields : telling;
  const [sign, word] = kinds[kind];
  return (
    <li class={kind}>
      <span class="record">
        <span aria-hidden="true">{sign} </span>
        <a href={hrefToRecord(table, id)}>{`${singularOf(table)} ${id}`}</a>
        <span class="unseen"> {word}</span>
      </span>
      <ul class="values">
        {kind === 'delete' ? (
          <li class="bad">deleted</li>
        ) : (
          shown.map((one) => <Field key={one.field} change={one} isNew={kind === 'add'} />)
        )}
      </ul>
    </li>
  );
}

function Field({
  change: { field, before, after },
  isNew,
}: {
  readonly change: RecordChange['fields'][number];
  readonly isNew: boolean;
}) {
  return (
    <li>
      <code>{field}</code>{' '}
      {!isNew && (
        <>
          <del class={before === undefined ? 'unset' : undefined}>{shorten(before)}</del>
          <span aria-hidden="true"> → </span>
          <span class="unseen"> to </span>
        </>
      )}
      <ins class={after === undefined ? 'unset' : undefined}>{shorten(after)}</ins>
    </li>
  );
}

function shorten(value: unknown): string {
  const text = formatValue(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function Moves({ entry: { moves }, about }: AboutProps) {
  if (moves.length === 0) return null;
  // A machine has the name of one of its records.
  const titles = new Set([...about].map((key) => titleOf(key)));
  const own = moves.filter(({ machine, id }) => titles.has(`${machine.replace('_', ' ')} ${id}`));
  const sorted = [...own, ...moves.filter((move) => !own.includes(move))];
  return (
    <p class="moves">
      <span class="soft">Moves: </span>
      {sorted.slice(0, 20).map(({ machine, id, from, to }, at) => (
        <span key={at} class="move">
          {`${machine.replace('_', ' ')} ${id} `}
          {from !== undefined && `${from} → `}
          <b class={toneOf(to)}>{to}</b>
        </span>
      ))}
      {moves.length > 20 && <span class="soft">{` and ${moves.length - 20} more`}</span>}
    </p>
  );
}

/** `inventory_units/7` → `inventory unit 7`. */
function titleOf(key: string): string {
  const [table = '', id] = key.split('/');
  return `${singularOf(table)} ${id}`;
}

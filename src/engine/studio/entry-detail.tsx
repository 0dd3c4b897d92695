import { useState } from 'preact/hooks';
import { Why } from './ask.tsx';
import { EntryActions } from './entry-actions.tsx';
import type { Entry, FieldChange, RecordChange } from './entries.ts';
import { countOf, formatMs, formatReceived, formatValue, singularOf } from './format.ts';
import { hrefTo } from './route.ts';
import type { Source } from './source.ts';
import { hasHistory } from './store.ts';
import { toneOf } from './tones.ts';
import { Button, Disclosure, Json } from './ui.tsx';

interface DetailProps {
  readonly source: Source;
  readonly entry: Entry;
  /** Records whose changes are shown first: `orders/105`. */
  readonly about?: ReadonlySet<string> | undefined;
}

/** What an entry was, why it came out so, what it changed, and what can be done with it. */
export function EntryDetail({ source, entry, about = none }: DetailProps) {
  const { request, answer, reason, outcome, id } = entry;
  const isRefused = outcome !== 'ok';
  return (
    <div class="detail">
      <Head entry={entry} />
      {isRefused && (
        <div class={`because ${toneOf(outcome)}`}>
          <b>
            {outcome === 'declined' ? 'The payment was declined.' : 'Refused.'}
            {entry.changes.length === 0 && ' Nothing was changed.'}
          </b>
          {reason !== undefined && <p>{reason}</p>}
        </div>
      )}
      {!isRefused && reason !== undefined && <p>{reason}</p>}
      <EntryActions source={source} entry={entry} />
      {isRefused && <Why path={`journal/${id}`} of={`#${id}`} />}
      <Changes entry={entry} about={about} />
      <Moves entry={entry} about={about} />
      {request !== undefined && (
        <Disclosure title="Request">
          <Headers headers={request.headers} />
          {request.body !== undefined && <Json label="Body of the request" value={request.body} />}
        </Disclosure>
      )}
      {answer !== undefined && (
        <Disclosure title={`Response ${answer.status}`} open={isRefused}>
          {answer.body !== undefined && <Json label="Body of the response" value={answer.body} />}
        </Disclosure>
      )}
    </div>
  );
}

/** What was sent, when, by whom, and how long it took. */
function Head({ entry }: { readonly entry: Entry }) {
  const { id, at, title, status, outcome, ms, delay, received, step, client, by } = entry;
  const facts = [
    `#${id}`,
    received === undefined ? [] : `received ${formatReceived(received)}`,
    ms === undefined ? [] : formatMs(ms),
    delay === undefined ? [] : `and a delay of ${formatMs(delay)}`,
  ].flat();
  const marks = [
    step ?? [],
    client ?? [],
    `${at.slice(0, 19).replace('T', ' ')} by the clock`,
    (entry.faults ?? []).map((fault) => `fault ${fault}`),
    (entry.script ?? []).map((rule) => `script rule ${rule}`),
  ].flat(2);
  return (
    <>
      <div class="row">
        <span class={`pill ${toneOf(by === 'request' ? outcome : by) ?? ''}`}>
          {status === undefined ? by : status === 0 ? 'dropped' : status}
        </span>
        <code class="grow">{title}</code>
        <span class="faint">{facts.join(' · ')}</span>
      </div>
      <ul class="row marks" aria-label="Facts">
        {marks.map((mark) => (
          <li key={mark} class="pill">
            {mark}
          </li>
        ))}
      </ul>
    </>
  );
}

const none: ReadonlySet<string> = new Set();
const shownChanges = 12;

interface AboutProps {
  readonly entry: Entry;
  readonly about: ReadonlySet<string>;
}

function Changes({ entry: { changes, outcome }, about }: AboutProps) {
  const [isWhole, setWhole] = useState(false);
  if (!hasHistory.value) return <p class="soft">This server records no changes.</p>;
  if (changes.length === 0) {
    // What was refused has said so.
    return outcome === 'ok' ? <p class="soft">Nothing was changed.</p> : null;
  }
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
export function Change({ change: { table, id, kind, fields } }: { readonly change: RecordChange }) {
  const telling = fields.filter(({ field }) => !incidental.includes(field));
  const shown = kind === 'change' && telling.length === 0 ? fields : telling;
  const [sign, word] = kinds[kind];
  const href = table === 'orders' ? hrefTo('orders', id) : hrefTo('data', table, id);
  return (
    <li class={kind}>
      <span class="record">
        <span aria-hidden="true">{sign} </span>
        <a href={href}>{`${singularOf(table)} ${id}`}</a>
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
  readonly change: FieldChange;
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

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  return (
    <ul class="headers" aria-label="Headers">
      {Object.entries(headers).map(([name, value]) => (
        <li key={name}>
          <code>{name}</code> {value}
        </li>
      ))}
    </ul>
  );
}

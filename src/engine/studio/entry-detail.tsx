import { useState } from 'preact/hooks';
import { Ask } from './ask.tsx';
import { Composer } from './composer.tsx';
import type { Entry, FieldChange, RecordChange } from './entries.ts';
import { countOf, formatMs, formatReceived, formatValue, singularOf } from './format.ts';
import { hrefTo } from './route.ts';
import type { Source } from './source.ts';
import { hasHistory, notice, read, rewind } from './store.ts';
import { TakesBack } from './takes-back.tsx';
import { toneOf } from './tones.ts';
import { Button, CopyButton, Disclosure, Json } from './ui.tsx';

interface DetailProps {
  readonly source: Source;
  readonly entry: Entry;
  /** Records whose changes are shown first: `orders/105`. */
  readonly about?: ReadonlySet<string> | undefined;
}

/** What an entry changed, its request and response, and what can be done with it. */
export function EntryDetail({ source, entry, about = none }: DetailProps) {
  const { request, answer, reason, outcome, ms, at, received } = entry;
  return (
    <div class="detail">
      {reason !== undefined && <p class={toneOf(outcome)}>{reason}</p>}
      <Changes entry={entry} about={about} />
      <Moves entry={entry} about={about} />
      <Actions source={source} entry={entry} />
      {request !== undefined && (
        <Disclosure title="Request">
          <Headers headers={request.headers} />
          {request.body !== undefined && <Json label="Body of the request" value={request.body} />}
        </Disclosure>
      )}
      {answer !== undefined && (
        <Disclosure title={`Response ${answer.status}`} open={answer.status >= 400}>
          {answer.body !== undefined && <Json label="Body of the response" value={answer.body} />}
        </Disclosure>
      )}
      <p class="soft">
        {`#${entry.id} at ${at.slice(0, 19).replace('T', ' ')}`}
        {received !== undefined && `, received ${formatReceived(received)}`}
        {ms !== undefined && `, ${formatMs(ms)}`}
        {answer?.delay !== undefined && ` and a delay of ${formatMs(answer.delay)}`}
        {request?.headers['user-agent'] !== undefined && `, from ${request.headers['user-agent']}`}
        {(entry.faults ?? []).map((id) => `, fault ${id}`)}
        {(entry.script ?? []).map((id) => `, script rule ${id}`)}
      </p>
    </div>
  );
}

const none: ReadonlySet<string> = new Set();
const shownChanges = 12;

interface AboutProps {
  readonly entry: Entry;
  readonly about: ReadonlySet<string>;
}

function Changes({ entry: { changes, by, outcome }, about }: AboutProps) {
  const [isWhole, setWhole] = useState(false);
  if (!hasHistory.value) return <p class="soft">This server records no changes.</p>;
  if (changes.length === 0) {
    const isRefused = by === 'request' && outcome !== 'ok';
    return (
      <p class="soft">{isRefused ? 'Refused: nothing was changed.' : 'Nothing was changed.'}</p>
    );
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

function Actions({ source, entry }: DetailProps) {
  const [isComposing, setComposing] = useState(false);
  const { id, method, url, endpoint, request, rewindable, title, status } = entry;
  const isRequest = method !== undefined && url !== undefined;
  return (
    <>
      <div class="row actions">
        {rewindable && (
          <Button of={`#${id}`} onClick={() => rewind(id, 'before')}>
            Go back to before this
          </Button>
        )}
        {isRequest && (
          <>
            <Button of={title} onClick={() => setComposing(!isComposing)}>
              Send again
            </Button>
            <CopyButton of={title} text={() => requestAs(id, 'curl')}>
              Copy as curl
            </CopyButton>
            <CopyButton of={title} text={() => requestAs(id, 'fetch')}>
              Copy as fetch
            </CopyButton>
          </>
        )}
        {hasHistory.value && (
          <Button of={`up to #${id}`} onClick={() => keepAsScenario(id)}>
            Keep as scenario
          </Button>
        )}
        {isRequest && (
          <Ask path={`journal/${id}`} of={title}>
            {`Why ${status === 0 ? 'dropped' : status}?`}
          </Ask>
        )}
        {endpoint?.includes(' /api') === true && (
          <a href={`${hrefTo('rules')}?endpoint=${encodeURIComponent(endpoint)}`}>
            Slow down or break it
          </a>
        )}
      </div>
      {rewindable && (
        <p>
          <TakesBack what="Going back" id={id} />
        </p>
      )}
      {isComposing && isRequest && (
        <Composer source={source} draft={{ method, url, body: request?.body }} />
      )}
    </>
  );
}

function requestAs(id: number, format: 'curl' | 'fetch'): Promise<string | undefined> {
  return read(`GET /_backlot/journal/${id}/as?format=${format}`);
}

/** Downloads a scenario that opens to the state after an entry. */
async function keepAsScenario(id: number): Promise<void> {
  const scenario = await read(`GET /_backlot/journal/export?to=${id}&as=scenario`);
  if (scenario === undefined) return;
  const file = new Blob([JSON.stringify(scenario, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `after-${id}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  notice.value = { kind: 'done', text: `Saved the shop after #${id} as ${link.download}` };
}

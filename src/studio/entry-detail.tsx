import { capitalize } from '../engine/lib/words.ts';
import type { EntryExplanation } from '../engine/definition/explanation.ts';
import { isObject } from '../engine/lib/json-value.ts';
import { Why } from './explained-value.tsx';
import { pendingOf, sentenceIn, type Entry } from './entries.ts';
import { EntryActions } from './entry-actions.tsx';
import { Changes } from './entry-changes.tsx';
import { countOf, formatMs, formatReceived, withoutZone } from './format.ts';
import { Json } from './json.tsx';
import { changedPaths } from './changed-paths.ts';
import { unfold } from './scroller.ts';
import { Tabs } from './tabs.tsx';
import { toneOfEntry } from './tones.ts';
import { useAsync } from './ui.tsx';
import { useStudio, type Studio } from './studio.ts';

interface DetailProps {
  readonly entry: Entry;
  /** Records whose changes are shown first: `orders/105`. */
  readonly about?: ReadonlySet<string> | undefined;
  /** Whether it is beside the list, and not below its row. */
  readonly isBeside?: boolean | undefined;
}

const none: ReadonlySet<string> = new Set();

/** The details of an entry: its outcome with the reasons, its actions and its parts. */
export function EntryDetail({ entry, about = none, isBeside = false }: DetailProps) {
  const studio = useStudio();
  const { reason, outcome, id } = entry;
  const isRefused = outcome !== 'ok';
  const refused = useRefused(entry);
  return (
    <div class="detail" ref={isBeside ? null : unfold}>
      {headOf(studio, entry)}
      {isRefused && (
        <div class={`because ${toneOfEntry(studio, entry) ?? ''}`}>
          <b>
            {outcome === 'declined' ? studio.pages.value.declined : rejectedText(entry, refused)}
            {entry.changes.length === 0 && ' Nothing was changed.'}
          </b>
          {reason !== undefined && <p>{reason}</p>}
        </div>
      )}
      {!isRefused && reason !== undefined && <p>{reason}</p>}
      {isRefused && outcome !== 'different' && <Why path={`journal/${id}`} of={`#${id}`} />}
      <EntryActions entry={entry} />
      {entry.request === undefined ? (
        <Changes entry={entry} about={about} />
      ) : (
        partsOf(studio, entry, about, refused)
      )}
    </div>
  );
}

/** The paths of the refused fields of a request: `shippingAddress.city`. */
function useRefused({ id, outcome }: Entry): readonly string[] {
  const studio = useStudio();
  const paths = useAsync(async () => {
    if (outcome !== 'rejected') return [];
    const why = await studio.client.peek<EntryExplanation>(`GET /_backlot/journal/${id}/why`);
    return (why?.refused ?? []).map(({ path }) => path.join('.')).filter((path) => path !== '');
  }, [id]);
  return paths ?? [];
}

/** `2 of 6 fields were rejected.` A field that was missing counts, too. */
function rejectedText({ request, outcome }: Entry, refused: readonly string[]): string {
  if (refused.length === 0) return `${capitalize(outcome)}.`;
  const all = new Set([...fieldsOf(request?.body), ...refused]);
  return `${refused.length} of ${countOf(all.size, 'field')} ${refused.length === 1 ? 'was' : 'were'} rejected.`;
}

function fieldsOf(value: unknown, path: readonly string[] = []): string[] {
  if (!isObject(value)) return path.length === 0 ? [] : [path.join('.')];
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, [...path, name]));
}

/** The request, whose refused fields are marked, the response, what was changed, and why. */
function partsOf(
  studio: Studio,
  entry: Entry,
  about: ReadonlySet<string>,
  refused: readonly string[],
) {
  const { request, answer, changes, outcome, id } = entry;
  const pending = pendingOf(entry);
  const response = pending === undefined ? `Response ${answer?.status ?? ''}` : 'Response';
  const [sent, replied] = [request, answer].map((one) => Object.entries(one?.headers ?? {}));
  const marks = new Map(refused.map((path) => [path, 'bad' as const]));
  const isChanged = outcome === 'ok' && changes.length > 0;
  const tabs = [
    request?.body !== undefined && {
      title: 'Request',
      content: () => <Json label="Body of the request" value={request.body} marks={marks} />,
    },
    answer !== undefined && {
      title: response,
      content: () =>
        answer.body === undefined ? (
          <p class="soft">{answer.left_out ?? noBody(pending)}</p>
        ) : (
          <Json
            label="Body of the response"
            value={answer.body}
            marks={changedPaths(studio, entry)}
          />
        ),
    },
    {
      title: 'Changes',
      count: changes.length,
      content: () => <Changes entry={entry} about={about} />,
    },
    outcome === 'ok' && {
      title: 'Why',
      content: () => <Why path={`journal/${id}`} of={`#${id}`} />,
    },
    {
      title: 'Headers',
      count: sent?.length,
      content: () => [headerList('request', sent), headerList('response', replied)],
    },
  ];
  return (
    <Tabs
      label={`Parts of #${id}`}
      tabs={tabs.filter((tab) => tab !== false)}
      first={isChanged ? 'Changes' : ['ok', 'different'].includes(outcome) ? response : 'Request'}
    />
  );
}

/** @param pending why no client has the response */
function noBody(pending: string | undefined): string {
  if (pending === undefined) return 'It has no body.';
  return pending === 'client left'
    ? 'The client left before it was sent.'
    : `It is ${pending}, and not sent yet.`;
}

function headerList(of: string, headers: readonly (readonly [name: string, value: string])[] = []) {
  return (
    <>
      <h3>{`Headers of the ${of}`}</h3>
      <dl class="said" aria-label={`Headers of the ${of}`}>
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The request, its time, its sender and its duration. */
function headOf(studio: Studio, entry: Entry) {
  const { id, at, title, status, ms, delay, received, step, client, by } = entry;
  const time = received === undefined ? undefined : formatReceived(received);
  const facts = [
    `#${id}`,
    time?.slice(11) ?? [],
    ms === undefined ? [] : formatMs(ms),
    delay === undefined ? [] : `delayed by ${formatMs(delay)}`,
  ].flat();
  const marks = [
    step ?? [],
    client ?? [],
    `${withoutZone(at)} by the clock`,
    (entry.faults ?? []).map((fault) => `fault ${fault}`),
    (entry.script ?? []).map((rule) => `script ${rule}`),
  ].flat(2);
  return (
    <>
      <div class="row">
        <span class={`pill ${toneOfEntry(studio, entry) ?? ''}`}>
          {status === 0 ? 'dropped' : (status ?? pendingOf(entry) ?? by)}
        </span>
        <b class="grow">{sentenceIn(studio, entry)}</b>
        <span class="faint num" title={time && `Received ${time}`}>
          {facts.join(' · ')}
        </span>
      </div>
      {by === 'request' && <code>{title}</code>}
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

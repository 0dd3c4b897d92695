import type { EntryExplanation } from '../definition/explanation.ts';
import { apiPages } from './api-pages.ts';
import { Why } from './ask.tsx';
import type { Entry } from './entries.ts';
import { EntryActions } from './entry-actions.tsx';
import { Changes } from './entry-changes.tsx';
import { countOf, formatMs, formatReceived } from './format.ts';
import { Json } from './json.tsx';
import { changedPaths } from './marks.ts';
import { peek } from './store.ts';
import { Tabs, type Tab } from './tabs.tsx';
import { toneOf } from './tones.ts';
import { useAsync } from './ui.tsx';

interface DetailProps {
  readonly entry: Entry;
  /** Records whose changes are shown first: `orders/105`. */
  readonly about?: ReadonlySet<string> | undefined;
}

const none: ReadonlySet<string> = new Set();

/** What an entry was, why it came out so, what can be done with it, and its parts. */
export function EntryDetail({ entry, about = none }: DetailProps) {
  const { reason, outcome, id } = entry;
  const isRefused = outcome !== 'ok';
  const refused = useRefused(entry);
  return (
    <div class="detail">
      <Head entry={entry} />
      {isRefused && (
        <div class={`because ${toneOf(outcome)}`}>
          <b>
            {outcome === 'declined' ? apiPages().declined : refusedText(entry, refused)}
            {entry.changes.length === 0 && ' Nothing was changed.'}
          </b>
          {reason !== undefined && <p>{reason}</p>}
        </div>
      )}
      {!isRefused && reason !== undefined && <p>{reason}</p>}
      {isRefused && <Why path={`journal/${id}`} of={`#${id}`} />}
      <EntryActions entry={entry} />
      <Parts entry={entry} about={about} refused={refused} />
    </div>
  );
}

/** The paths of the refused fields of a request: `shippingAddress.city`. */
function useRefused({ id, outcome }: Entry): readonly string[] {
  const paths = useAsync(async () => {
    if (outcome !== 'rejected') return [];
    const why = await peek<EntryExplanation>(`GET /_backlot/journal/${id}/why`);
    return (why?.refused ?? []).map(({ path }) => path.join('.')).filter((path) => path !== '');
  }, [id]);
  return paths ?? [];
}

/** `2 of 6 fields were refused.` A field that was missing counts, too. */
function refusedText({ request }: Entry, refused: readonly string[]): string {
  if (refused.length === 0) return 'Refused.';
  const all = new Set([...fieldsOf(request?.body), ...refused]);
  return `${refused.length} of ${countOf(all.size, 'field')} ${refused.length === 1 ? 'was' : 'were'} refused.`;
}

function fieldsOf(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path.join('.')];
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, [...path, name]));
}

/** The request, the response, what was changed, and why. An entry without a request has changes only. */
function Parts({
  entry,
  about = none,
  refused,
}: Pick<DetailProps, 'entry' | 'about'> & { readonly refused: readonly string[] }) {
  const { request, answer, changes, outcome, id } = entry;
  if (request === undefined) return <Changes entry={entry} about={about} />;
  const headers = Object.entries(request.headers);
  const response = `Response ${answer?.status ?? ''}`;
  const tabs: readonly (Tab | false)[] = [
    request.body !== undefined && {
      title: 'Request',
      content: () => <Body entry={entry} refused={refused} />,
    },
    answer !== undefined && {
      title: response,
      content: () =>
        answer.body === undefined ? (
          <p class="soft">{answer.left_out ?? 'It has no body.'}</p>
        ) : (
          <Json label="Body of the response" value={answer.body} marks={changedPaths(entry)} />
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
    { title: 'Headers', count: headers.length, content: () => <Headers entry={entry} /> },
  ];
  const isChanged = outcome === 'ok' && changes.length > 0;
  return (
    <Tabs
      label={`Parts of #${id}`}
      tabs={tabs.filter((tab) => tab !== false)}
      first={isChanged ? 'Changes' : outcome === 'ok' ? response : 'Request'}
    />
  );
}

/** The body of a request. Where fields were refused, they are marked. */
function Body({
  entry: { request },
  refused,
}: {
  readonly entry: Entry;
  readonly refused: readonly string[];
}) {
  const marks = new Map(refused.map((path) => [path, 'bad' as const]));
  return <Json label="Body of the request" value={request?.body} marks={marks} />;
}

/** What was sent, when, by whom, and how long it took. */
function Head({ entry }: { readonly entry: Entry }) {
  const { id, at, title, status, outcome, ms, delay, received, step, client, by } = entry;
  const time = received === undefined ? undefined : formatReceived(received);
  const facts = [
    `#${id}`,
    time?.slice(11) ?? [],
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
        <span class="faint num" title={time === undefined ? undefined : `Received ${time}`}>
          {facts.join(' · ')}
        </span>
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

function Headers({ entry: { request, answer } }: { readonly entry: Entry }) {
  return (
    <>
      <HeaderList of="request" headers={request?.headers ?? {}} />
      <HeaderList of="response" headers={answer?.headers ?? {}} />
    </>
  );
}

function HeaderList({
  of,
  headers,
}: {
  readonly of: string;
  readonly headers: Readonly<Record<string, string>>;
}) {
  return (
    <>
      <h3>{`Headers of the ${of}`}</h3>
      <dl class="said" aria-label={`Headers of the ${of}`}>
        {Object.entries(headers).map(([name, value]) => (
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

import { capitalize } from '../../engine/lib/words.ts';
import { useState } from 'preact/hooks';
import type { ScenarioView } from '../../engine/control/endpoints/reset.ts';
import type { SessionsView } from '../../engine/control/endpoints/sessions.ts';
import type { TableView } from '../../engine/control/endpoints/tables.ts';
import { toneOfStatus } from '../../engine/journal/tone.ts';
import { sentenceIn, statusOf } from '../entries.ts';
import { Form, SelectField } from '../form.tsx';
import { toneOfEntry } from '../tones.ts';
import type { ApiSection } from '../api-pages.ts';
import { countOf } from '../format.ts';
import { hrefTo, hrefToEntry } from '../route.ts';
import { shopRoot } from '../session-panel.tsx';
import { useLive } from '../live.ts';
import { Button, CopyButton, Empty, useLoaded } from '../ui.tsx';
import { Json } from '../json.tsx';
import type { Reply } from '../source.ts';
import { useStudio } from '../studio.ts';

/** The start page: what happens now, the address of the API, what the clock does next, and sessions. */
export function Home() {
  const studio = useStudio();
  const tables = useLoaded<readonly TableView[]>('GET /_backlot/tables');
  const scenarios = useLoaded<readonly ScenarioView[]>('GET /_backlot/scenarios');
  const { sections, Upcoming, Latest } = studio.pages.value;
  const isLoaded = [tables, scenarios].every(({ body, error }) => (body ?? error) !== undefined);
  // Each part is shown once those above it are whole, because they would move it.
  const rest = (
    <>
      <Scenarios list={scenarios.body ?? []} />
      {studio.shop.health.value?.may.sessions === true && <Sessions />}
    </>
  );
  // Another API than that of the pages may not have the table.
  const section = sections.find(({ table }) => tables.body?.some(({ name }) => name === table));
  return (
    <>
      <h1 class="unseen">Home</h1>
      {isLoaded && (
        <div class="pair">
          <div class="stack">
            <Address section={section} />
            <Traffic />
          </div>
          <div class="stack">
            {section && Latest && Upcoming ? (
              <Latest>
                <Upcoming limit={5}>{rest}</Upcoming>
              </Latest>
            ) : (
              rest
            )}
          </div>
        </div>
      )}
    </>
  );
}

const maxTraffic = 6;

/** The last requests. */
function Traffic() {
  const studio = useStudio();
  const latest = studio.history.summaries.value
    .filter(({ by }) => by === 'request')
    .slice(-maxTraffic)
    .toReversed();
  return (
    <section class="card traffic">
      <h2>What happens now</h2>
      {latest.length === 0 && <Empty>No requests yet.</Empty>}
      <ul class="list">
        {latest.map((entry) => (
          <li key={entry.id} class="row">
            <b class={toneOfEntry(studio, entry)}>{statusOf(entry)}</b>
            <a class="grow" href={hrefToEntry(entry.id)}>
              <bdi>{sentenceIn(studio, entry)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The address to copy, and a request that runs. */
function Address({ section }: { readonly section: ApiSection | undefined }) {
  const studio = useStudio();
  const [reply, setReply] = useState<Reply<unknown>>();
  const about = studio.shop.health.value;
  if (about === undefined) return null;
  const url = `${shopRoot(studio)}${about.api_path}`;
  const list = `${about.list}?limit=1`;
  const path = `${about.api_path}${list}`;
  const send = async () => {
    setReply(await studio.client.call(`GET ${path}`));
  };
  return (
    <section class="card">
      <h2>The {studio.shop.apiName} API is at</h2>
      <div class="row">
        <code class="address grow">{`${url}/`}</code>
        <CopyButton of={`address of the ${studio.shop.apiName.value} API`} text={url}>
          Copy
        </CopyButton>
      </div>
      <p class="soft">
        Point your app at it. Every request appears in{' '}
        <a href={hrefTo('activity')}>
          Activity{studio.history.lastId.value > 0 && ` (${studio.history.lastId.value} so far)`}
        </a>
        , and can be undone.
      </p>
      {about.list !== undefined ? (
        <div class="row">
          <Button kind="primary" onClick={send}>
            Send your first request
          </Button>
          <code>{`GET ${path}`}</code>
          <CopyButton of="first request as curl" text={`curl '${url}${list}'`}>
            Copy as curl
          </CopyButton>
        </div>
      ) : (
        <p>
          <a href={hrefTo('docs')}>Try an operation</a>
        </p>
      )}
      {reply !== undefined && (
        <div class="response">
          <p>
            <b class={toneOfStatus(reply.status)}>{reply.status}</b>{' '}
            {reply.status < 400 && section && (
              <a href={hrefTo(section.name)}>{`All ${section.title.toLowerCase()}`}</a>
            )}
          </p>
          <Json label="Body of the response" value={reply.body} />
        </div>
      )}
    </section>
  );
}

/** Resets the shop to a scenario, which can be undone. */
function Scenarios({ list }: { readonly list: readonly ScenarioView[] }) {
  const studio = useStudio();
  const { session, scenario = '' } = studio.shop.health.value ?? {};
  const [chosen, choose] = useState(session?.scenario ?? scenario);
  const reset = () =>
    studio.actions.act(`Reset to ${chosen}`, 'POST /_backlot/reset', { scenario: chosen });
  return (
    <section class="card">
      <h2>Begin again</h2>
      <Form label="Reset to a scenario" submit="Reset" of={`to ${chosen}`} onSubmit={reset}>
        <SelectField
          label="Scenario"
          isPlain
          value={chosen}
          values={list.map(({ name }) => name)}
          titles={Object.fromEntries(
            list.map(({ name }) => [name, capitalize(name.replaceAll('-', ' '))]),
          )}
          onValue={choose}
        />
      </Form>
      <p class="soft">{list.find(({ name }) => name === chosen)?.description}</p>
    </section>
  );
}

/** The open sessions, each with its studio. */
function Sessions() {
  const list = useLive<SessionsView>('GET /_backlot/sessions');
  return (
    <section class="card">
      <h2>Sessions</h2>
      {list?.sessions.length === 0 && (
        <p class="soft">
          No sessions. <a href={hrefTo('time')}>Open one</a>
        </p>
      )}
      <ul class="list">
        {list?.sessions
          .slice(0, 8)
          .map(({ name, path, scenario, requests, idle_seconds: idle }) => (
            <li key={name} class="row">
              <a class="grow" href={`${path}/_backlot/#/activity`}>
                {name}
              </a>
              <span class="soft">{`${scenario}, ${countOf(requests, 'request')}, idle ${idle} s`}</span>
            </li>
          ))}
      </ul>
    </section>
  );
}

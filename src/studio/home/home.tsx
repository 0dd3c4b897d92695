import { useState } from 'preact/hooks';
import type { ScenarioView } from '../../engine/control/endpoints/reset.ts';
import type { SessionsView } from '../../engine/control/endpoints/sessions.ts';
import type { TableView } from '../../engine/control/endpoints/tables.ts';
import { toneOfStatus } from '../../engine/journal/tone.ts';
import type { ApiSection } from '../api-pages.ts';
import { capitalize, countOf } from '../format.ts';
import { hrefTo } from '../route.ts';
import { shopRoot } from '../session-panel.tsx';
import { useLive } from '../live.ts';
import { Button, CopyButton, useBusy, useLoaded } from '../ui.tsx';
import { Json } from '../json.tsx';
import type { Reply } from '../source.ts';
import { useStudio } from '../studio.ts';

/** The start page: the address, a first request, scenarios, the next events, and sessions. */
export function Home() {
  const studio = useStudio();
  const { scenario } = studio.shop.health.value?.session ?? {};
  const tables = useLoaded<readonly TableView[]>('GET /_backlot/tables');
  const scenarios = useLoaded<readonly ScenarioView[]>('GET /_backlot/scenarios');
  const { sections, Upcoming } = studio.pages.value;
  const isLoaded = [tables, scenarios].every(({ body, error }) => (body ?? error) !== undefined);
  // Each part is shown once those above it are whole, because they would move it.
  const sessions = studio.shop.health.value?.may.sessions === true && <Sessions />;
  // Another API than that of the pages may not have the table.
  const section = sections.find(({ table }) => tables.body?.some(({ name }) => name === table));
  return (
    <>
      <h1 class="unseen">Home</h1>
      {isLoaded && (
        <div class="pair">
          <div class="stack">
            <Address section={section} />
            <Scenarios
              list={scenarios.body}
              present={scenario ?? studio.shop.health.value?.scenario ?? ''}
            />
          </div>
          <div class="stack">
            {section && Upcoming ? <Upcoming limit={5}>{sessions}</Upcoming> : sessions}
          </div>
        </div>
      )}
    </>
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

/** One card for each scenario. Pressing it resets the shop, which can be undone. */
function Scenarios({
  list,
  present,
}: {
  readonly list: readonly ScenarioView[] | undefined;
  readonly present: string;
}) {
  return (
    <section class="card">
      <h2>Begin with a scenario</h2>
      <ul class="scenarios">
        {list?.map((one) => (
          <ScenarioCard key={one.name} {...one} isPresent={one.name === present} />
        ))}
      </ul>
    </section>
  );
}

function ScenarioCard({
  name,
  description,
  isPresent,
}: ScenarioView & { readonly isPresent: boolean }) {
  const studio = useStudio();
  const [isBusy, reset] = useBusy(() =>
    studio.actions.act(`Reset to ${name}`, 'POST /_backlot/reset', { scenario: name }),
  );
  return (
    <li>
      <button
        type="button"
        aria-busy={isBusy}
        aria-pressed={isPresent}
        title={`Reset to ${name}`}
        onClick={() => void reset()}
      >
        <b>{capitalize(name.replaceAll('-', ' '))}</b>
        {isPresent && <span class="pill ok">here</span>}
        <span class="soft">{description}</span>
      </button>
    </li>
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
          None: all clients use the shared shop. <a href={hrefTo('time')}>Open one</a>
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

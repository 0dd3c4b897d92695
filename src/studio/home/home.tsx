import { capitalize, singularOf } from '../../engine/lib/words.ts';
import { useState } from 'preact/hooks';
import type { Health } from '../../engine/control/endpoints/health.ts';
import type { ScenarioView } from '../../engine/control/endpoints/reset.ts';
import type { SessionsView } from '../../engine/control/endpoints/sessions.ts';
import type { TableView } from '../../engine/control/endpoints/tables.ts';
import { sentenceIn, statusOf } from '../entries.ts';
import { Form, SelectField } from '../form.tsx';
import { toneOfEntry } from '../tones.ts';
import type { ApiSection } from '../api-pages.ts';
import { countOf, formatReceived } from '../format.ts';
import { hrefTo, hrefToEntry } from '../route.ts';
import { shopRoot } from '../session-panel.tsx';
import { useLive } from '../live.ts';
import { Button, CopyButton, useLoaded } from '../ui.tsx';
import { useStudio } from '../studio.ts';

/** The start page: before any request, the line to paste; then what happened last, what comes next, and sessions. */
export function Home() {
  const studio = useStudio();
  const tables = useLoaded<readonly TableView[]>('GET /_backlot/tables');
  const scenarios = useLoaded<readonly ScenarioView[]>('GET /_backlot/scenarios');
  const { sections, Upcoming, Latest } = studio.pages.value;
  const about = studio.shop.health.value;
  const isLoaded = [tables, scenarios].every(({ body, error }) => (body ?? error) !== undefined);
  if (!isLoaded || about === undefined) return <p class="card" aria-busy="true" />;
  // Each part is shown once those above it are whole, because they would move it.
  const rest = (
    <>
      <Scenarios list={scenarios.body ?? []} />
      {about.may.sessions && <Sessions />}
    </>
  );
  // Another API than that of the pages may not have the table.
  const section = sections.find(({ table }) => tables.body?.some(({ name }) => name === table));
  const isFirst = !studio.history.summaries.value.some(({ by }) => by === 'request');
  return (
    <>
      <h1 class="unseen">Home</h1>
      {isFirst && <FirstRequest about={about} />}
      <div class="pair">
        {isFirst ? (
          rest
        ) : (
          <>
            <div class="stack">
              <Last section={section} />
              <Address about={about} />
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
          </>
        )}
      </div>
    </>
  );
}

/** Says what this is, with a request to paste. Its place is taken by what happens when the request arrives. */
function FirstRequest({ about }: { readonly about: Health }) {
  const studio = useStudio();
  const name = studio.shop.apiName.value;
  const url = `${shopRoot(studio)}${about.api_path}`;
  const list = about.list === undefined ? undefined : `${about.list}?limit=1`;
  return (
    <section class="card first">
      <h2>
        This is a {name} API with all its data: call it, and see here what each request did, why,
        and what was before.
      </h2>
      {list !== undefined && copied(`curl '${url}${list}'`, 'first request as curl')}
      <p class="soft">Or point your app at</p>
      {copied(url, `address of the ${name} API`)}
      <div class="row">
        <span class="soft grow" aria-live="polite">
          Waiting for the first request…
        </span>
        {list === undefined ? (
          <a href={hrefTo('docs')}>Try an operation</a>
        ) : (
          <Button onClick={() => studio.client.call(`GET ${about.api_path}${list}`)}>
            Send it from here
          </Button>
        )}
      </div>
    </section>
  );
}

function Address({ about }: { readonly about: Health }) {
  const studio = useStudio();
  return (
    <section class="card">
      <h2>The {studio.shop.apiName} API is at</h2>
      {copied(
        `${shopRoot(studio)}${about.api_path}`,
        `address of the ${studio.shop.apiName.value} API`,
      )}
    </section>
  );
}

function copied(text: string, of: string) {
  return (
    <div class="row">
      <code class="address grow">{text}</code>
      <CopyButton of={of} text={text}>
        Copy
      </CopyButton>
    </div>
  );
}

const maxLast = 6;

/** The last entries, each with its number, when it arrived, and the record that it names. */
function Last({ section }: { readonly section: ApiSection | undefined }) {
  const studio = useStudio();
  const last = studio.history.summaries.value.slice(-maxLast).toReversed();
  return (
    <section class="card">
      <h2>What happened last</h2>
      <ul class="list last">
        {last.map((entry) => (
          <li key={entry.id} class="row">
            <a href={hrefToEntry(entry.id)}>{`#${entry.id}`}</a>
            <b class={`status ${toneOfEntry(studio, entry) ?? ''}`}>
              {entry.by === 'request' ? statusOf(entry) : <span aria-hidden="true">●</span>}
            </b>
            <span class="grow">{withLink(sentenceIn(studio, entry), section)}</span>
            {entry.received !== undefined && (
              <span class="faint num">{formatReceived(entry.received).slice(11)}</span>
            )}
          </li>
        ))}
      </ul>
      <p class="actions">
        <a href={hrefTo('activity')}>{`All ${studio.history.lastId.value} in Activity`}</a>
      </p>
    </section>
  );
}

/** A sentence whose first record of a section is a link: `paid order 119`. */
function withLink(sentence: string, section: ApiSection | undefined) {
  const noun = section && singularOf(section.title.toLowerCase());
  const [named, id = ''] = new RegExp(`\\b${noun} ([\\w-]+)`).exec(sentence) ?? [];
  if (section === undefined || named === undefined) return <bdi>{sentence}</bdi>;
  const [before, after] = sentence.split(named, 2);
  return (
    <bdi>
      {before}
      <a href={hrefTo(section.name, id)}>{named}</a>
      {after}
    </bdi>
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

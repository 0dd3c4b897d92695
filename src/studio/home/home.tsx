import { singularOf } from '../../engine/lib/words.ts';
import type { Health } from '../../engine/control/endpoints/health.ts';
import type { ScenarioView } from '../../engine/control/endpoints/reset.ts';
import type { TableView } from '../../engine/control/endpoints/tables.ts';
import { sentenceIn, statusOf } from '../entries.ts';
import { toneOfEntry } from '../tones.ts';
import type { ApiSection } from '../api-pages.ts';
import { formatReceived } from '../format.ts';
import { hrefTo, hrefToEntry } from '../route.ts';
import { shopRoot } from '../session-panel.tsx';
import { Scenario, Sessions } from '../time/time-parts.tsx';
import { Button, CopyButton, useLoaded } from '../ui.tsx';
import { useStudio, type Studio } from '../studio.ts';

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
      <Scenario scenarios={scenarios.body ?? []} />
      {about.may.sessions && <Sessions limit={8} />}
    </>
  );
  // Another API than that of the pages may not have the table.
  const section = sections.find(({ table }) => tables.body?.some(({ name }) => name === table));
  const url = `${shopRoot(studio)}${about.api_path}`;
  const isFirst = !studio.history.summaries.value.some(({ by }) => by === 'request');
  return (
    <>
      <h1 class="unseen">Home</h1>
      {isFirst && <FirstRequest about={about} url={url} />}
      <div class="pair">
        {isFirst ? (
          rest
        ) : (
          <>
            <div class="stack">
              <Last section={section} />
              <section class="card">
                <h2>The {studio.shop.apiName} API is at</h2>
                {copied(url, addressOf(studio))}
              </section>
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
function FirstRequest({ about, url }: { readonly about: Health; readonly url: string }) {
  const studio = useStudio();
  const name = studio.shop.apiName.value;
  const list = about.list === undefined ? undefined : `${about.list}?limit=1`;
  return (
    <section class="card first">
      <h2>
        This is a {name} API with all its data: call it, and see here what each request did, why,
        and what was before.
      </h2>
      {list !== undefined && copied(`curl '${url}${list}'`, 'first request as curl')}
      <p class="soft">Or point your app at</p>
      {copied(url, addressOf(studio))}
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

function addressOf({ shop }: Studio): string {
  return `address of the ${shop.apiName.value} API`;
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

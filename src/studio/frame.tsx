import { useState } from 'preact/hooks';
import { sentenceIn } from './entries.ts';
import { Form } from './form.tsx';
import { formatTime, shortTime } from './format.ts';
import { saveToken } from './http-source.ts';
import { FindButton } from './palette/palette.tsx';
import { hrefTo } from './route.ts';
import { SessionPanel } from './session-panel.tsx';
import { Button } from './ui.tsx';
import { useStudio } from './studio.ts';

/** The part of the page that every section has. */
export function Header() {
  const studio = useStudio();
  const { section } = studio.router.route.value;
  return (
    <header>
      <a class="brand" href={hrefTo('home')} aria-label="Backlot">
        <svg class="mark" viewBox="0 0 14 14" aria-hidden="true">
          <path d="M1.5 5.5h11v6h-11zM1.5 5.5l2-3.5 2.6 3.5M6.1 2l2.6 3.5M9 2l3 3.5" />
        </svg>
        <span class="roomy">Backlot</span>
      </a>
      <nav aria-label="Sections">
        {studio.router.sections.value.slice(1).map(({ name, title }) => (
          <a key={name} href={hrefTo(name)} aria-current={name === section ? 'page' : undefined}>
            {title}
            {name === 'activity' && studio.history.pending.value > 0 && (
              <small>
                {` ${studio.history.pending.value}`}
                <span class="unseen"> not sent yet</span>
              </small>
            )}
          </a>
        ))}
      </nav>
      <div class="about">
        {/* What is loaded later is in front, so that it moves nothing. */}
        <Now />
        <SessionPanel />
        <FindButton />
      </div>
    </header>
  );
}

function Now() {
  const studio = useStudio();
  const { clock } = studio.preview;
  if (clock === undefined) return null;
  const { now, mode } = clock;
  const time = formatTime(now);
  return (
    <a class="now" href={hrefTo('time')} title={`The clock is ${mode}: ${time}`}>
      <span aria-hidden="true">{mode === 'frozen' ? '❚❚' : '▶'} </span>
      <span class="unseen">Clock, {mode}: </span>
      <span class="roomy">{time.slice(0, 4)}</span>
      {shortTime(now, now)}
      <span class="faint roomy">{` ${mode}`}</span>
    </a>
  );
}

/** One message: that the server does not respond, or else what the last action did. */
export function NoticeBar() {
  const studio = useStudio();
  const shown = studio.notices.shown.value;
  const entry = shown?.entry === undefined ? undefined : studio.history.find(shown.entry);
  const sentence = entry?.outcome === 'ok' ? sentenceIn(studio, entry) : shown?.text;
  // What the time line tells is said to screen readers alone.
  const isTold = shown?.entry !== undefined && (entry?.by !== 'request' || entry.changed > 0);
  const isWaiting = studio.connection.state.value === 'waiting';
  return (
    <footer class="notices">
      <div role="status">
        {isWaiting && (
          <div class="row notice error">{`${studio.connection.waitingFor.value} The page connects again by itself.`}</div>
        )}
        {!isWaiting && isTold && <span class="unseen">{sentence}</span>}
        {!isWaiting && shown !== undefined && !isTold && (
          <div class={`row notice ${shown.kind}`}>
            <span class="text grow">{sentence}</span>
            {shown.offer && <Button onClick={shown.offer.run}>{shown.offer.text}</Button>}
            <Button
              kind="quiet"
              of="message"
              onClick={() => (studio.notices.shown.value = undefined)}
            >
              Close
            </Button>
          </div>
        )}
      </div>
    </footer>
  );
}

/** Asks before the page begins a session: the server has removed it, or its name may be mistyped. */
export function MissingSession() {
  const studio = useStudio();
  const { name = '', ended } = studio.shop.health.value?.session ?? {};
  const hasEnded = ended !== undefined;
  if (!hasEnded && !studio.connection.isMissing.value) return null;
  return (
    <section class="card" role="alert">
      <h1>{hasEnded ? 'Your shop was removed' : `There is no session ${name}`}</h1>
      {hasEnded && <p>{`Reason: ${ended}.`}</p>}
      <Button kind="primary" of={name} onClick={() => studio.connection.connect(true)}>
        {hasEnded ? 'Begin anew' : 'Begin it'}
      </Button>
    </section>
  );
}

/** Asks before the state that a link holds replaces that of this shop. */
export function SharedState() {
  const studio = useStudio();
  const state = studio.router.sharedState.value;
  if (state === undefined) return null;
  return (
    <section class="card shared" role="alert">
      <h1>This link holds the state of a shop</h1>
      <p>It replaces the state of this shop. Undo brings that back.</p>
      <div class="row">
        <Button
          kind="primary"
          onClick={async () => (await studio.views.files()).openLink(studio, state)}
        >
          Open it
        </Button>
        <Button onClick={() => studio.router.go(hrefTo('home'), 'replace')}>Keep this shop</Button>
      </div>
    </section>
  );
}

/** Asks for the token of the control API, where the server requires one. */
export function TokenForm() {
  const studio = useStudio();
  const [token, setToken] = useState('');
  const [isTried, setTried] = useState(false);
  if (!studio.notices.needsToken.value) return null;
  const submit = () => {
    saveToken(token);
    setTried(true);
    studio.notices.needsToken.value = false;
    studio.notices.shown.value = undefined;
    studio.connection.connect();
  };
  return (
    <div class="card token">
      <h1>The control API of this server requires a token</h1>
      <p>
        <a href={hrefTo('docs')}>The documents</a> and the {studio.shop.apiName} API do not:
        operations can be tried there.
      </p>
      {isTried && (
        <p class="bad" role="alert">
          This is not the token of the server.
        </p>
      )}
      <Form label="Token" submit="Use token" kind="primary" onSubmit={submit}>
        <label class="grow">
          <span>Token of the control API</span>
          <input
            type="password"
            required
            autoComplete="off"
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
      </Form>
    </div>
  );
}

import { useState } from 'preact/hooks';
import { Form, TextField } from './form.tsx';
import { formatTime } from './format.ts';
import { saveToken } from './http-source.ts';
import { FindButton } from './palette.tsx';
import { hrefTo, rooms, route, type Room } from './route.ts';
import { SessionPanel } from './session-panel.tsx';
import type { Source } from './source.ts';
import { clock, connect, connection, health, needsToken, notice, rewind } from './store.ts';
import { TakesBack } from './takes-back.tsx';
import { Button } from './ui.tsx';

/** The names of the rooms. */
export const roomTitles: Readonly<Record<Room, string>> = {
  requests: 'Requests',
  orders: 'Orders',
  data: 'Data',
  rules: 'Rules',
  time: 'Time',
  docs: 'Docs',
};

/** The part of the page that every room has. */
export function Header({ source }: { readonly source: Source }) {
  const { room } = route.value;
  return (
    <header>
      <a class="brand" href={hrefTo('requests')}>
        Backlot
      </a>
      <nav aria-label="Rooms">
        {rooms.map((name) => (
          <a key={name} href={hrefTo(name)} aria-current={name === room ? 'page' : undefined}>
            {roomTitles[name]}
          </a>
        ))}
      </nav>
      <div class="about">
        <FindButton />
        <Now />
        <SessionPanel source={source} />
      </div>
    </header>
  );
}

function Now() {
  if (clock.value === undefined) return null;
  const { now, mode } = clock.value;
  const time = formatTime(now);
  return (
    <a class="now" href={hrefTo('time')} title={`The clock is ${mode}`}>
      <span aria-hidden="true">{mode === 'frozen' ? 'Ⅱ' : '▶'} </span>
      <span class="unseen">Clock, {mode}: </span>
      <span class="roomy">{time.slice(0, 4)}</span>
      {time.slice(4, -4)}
      <span class="roomy">{time.slice(-4)}</span>
    </a>
  );
}

/** What the last action did, or why it failed. */
export function NoticeBar() {
  const shown = notice.value;
  return (
    <div class="notices" role="status">
      {connection.value === 'waiting' && (
        <div class="row notice error">
          The server does not respond. The page connects again by itself.
        </div>
      )}
      <Ended />
      {shown !== undefined && (
        <div class={`row notice ${shown.kind}`}>
          <span class="text">
            {shown.text}
            {shown.undo !== undefined && <TakesBack what=". Undo" id={shown.undo} />}
          </span>
          {shown.undo !== undefined && (
            <Button of={shown.text} onClick={() => rewind(shown.undo ?? 0, 'before')}>
              Undo
            </Button>
          )}
          <Button kind="quiet" of="message" onClick={closeNotice}>
            Close
          </Button>
        </div>
      )}
    </div>
  );
}

/** What has happened to the session, where the server has removed it. */
function Ended() {
  const ended = health.value?.session?.ended;
  if (ended === undefined) return null;
  return (
    <div class="row notice error">
      <span class="text">{`Your shop was removed: ${ended}.`}</span>
      <Button kind="primary" onClick={() => location.reload()}>
        Begin anew
      </Button>
    </div>
  );
}

function closeNotice(): void {
  notice.value = undefined;
}

/** Asks for the token of the control API, where the server requires one. */
export function TokenForm({ source }: { readonly source: Source }) {
  const [token, setToken] = useState('');
  if (!needsToken.value) return null;
  const submit = () => {
    saveToken(token);
    needsToken.value = false;
    notice.value = undefined;
    connect(source);
  };
  return (
    <div class="card token">
      <p>The control API of this server requires a token. Docs and the store API do not.</p>
      <Form label="Token" submit="Use token" kind="primary" onSubmit={submit}>
        <TextField
          label="Token of the control API"
          class="grow"
          type="password"
          isRequired
          value={token}
          onValue={setToken}
        />
      </Form>
    </div>
  );
}

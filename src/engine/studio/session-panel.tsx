import { attached } from './calls.ts';
import { countOf } from './format.ts';
import { hrefTo } from './route.ts';
import type { Health } from '../control/endpoints/health.ts';
import { health, loadHealth } from './store.ts';
import { CopyButton } from './ui.tsx';

/** Who this visitor is, the address of the shop, and how to point an app at it. */
export function SessionPanel() {
  const about = health.value;
  if (about === undefined) return null;
  const { session, scenario } = about;
  return (
    <>
      <button type="button" class="who" popovertarget="session-panel">
        <b class="roomy">{session?.scenario ?? scenario}</b>
        <span class="faint roomy" aria-hidden="true">
          /
        </span>
        <span>{session === undefined ? 'shared shop' : `session ${shorten(session.name)}`}</span>
      </button>
      <div
        id="session-panel"
        popover="auto"
        class="panel"
        role="group"
        aria-label="Session"
        onToggle={({ newState }) => void (newState === 'open' && loadHealth())}
      >
        <h2>{session === undefined ? 'The shared shop' : `Session ${session.name}`}</h2>
        <p>{describe(about)}</p>
        <Address about={about} />
        {about.may.sessions && (
          <p>
            <a href={hrefTo('time')}>{countOf(about.sessions, 'session')} on this server</a>
          </p>
        )}
      </div>
    </>
  );
}

function shorten(name: string): string {
  return name.length > 14 ? `${name.slice(0, 12)}…` : name;
}

function describe({ session, may }: Health): string {
  if (!may.control) return 'You may call the store API, but not the control API of this server.';
  if (session === undefined) return 'Everyone who calls this address uses the same shop.';
  if (session.ended !== undefined) return `It was removed: ${session.ended}.`;
  if (session.scenario === undefined) return 'What you change is in a copy of your own.';
  const minutes = Math.round((session.seconds_left ?? 0) / 60);
  const use = session.ends_by === 'life' ? ', used or not' : ' without use';
  const end = session.seconds_left === undefined ? '' : ` It ends after ${minutes} min${use}.`;
  return `Only clients with this address, header or cookie use this shop.${end}`;
}

/** The URL in front of the path of the store API, for clients elsewhere: they do not have the cookie of a session. */
export function shopRoot(): string {
  const { session, address = '' } = health.value ?? {};
  const own = session === undefined ? '' : `/s/${session.name}`;
  const base = new URL(attached().root, location.href).href.replace(/\/$/, '');
  return address.endsWith(own) ? base : `${base}${own}`;
}

function Address({ about }: { readonly about: Health }) {
  const { session } = about;
  const url = `${shopRoot()}${about.api_path}`;
  const lines = [
    ['Address of the store API', url],
    ...(session === undefined
      ? []
      : [['or this header with each request', `X-Backlot-Session: ${session.name}`] as const]),
    ['Try it', `curl '${url}/orders/'`],
    ['Point an app at it', `const api = (path) => fetch('${url}' + path)`],
  ] as const;
  return (
    <dl class="lines">
      {lines.map(([title, text]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <code>{text}</code>
            <CopyButton of={title} text={text}>
              Copy
            </CopyButton>
          </dd>
        </div>
      ))}
    </dl>
  );
}

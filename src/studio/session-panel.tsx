import { useState } from 'preact/hooks';
import { countOf } from './format.ts';
import { hrefTo } from './route.ts';
import type { Health } from '../engine/control/endpoints/health.ts';
import { tabStorage } from './tab-storage.ts';
import { Button, CopyButton } from './ui.tsx';
import { useStudio, type Studio } from './studio.ts';

/** The session of this visitor, the address of the shop, and the way to use it in an app. */
export function SessionPanel() {
  const studio = useStudio();
  const about = studio.shop.health.value;
  if (about === undefined) return null;
  const { session, scenario } = about;
  const name = shortNameOf(studio, about);
  return (
    <>
      <button type="button" class="who" popovertarget="session-panel">
        <b class={name === undefined ? undefined : 'roomy'}>{session?.scenario ?? scenario}</b>
        {name !== undefined && (
          <>
            <span class="faint roomy" aria-hidden="true">
              /
            </span>
            <span>{name}</span>
          </>
        )}
      </button>
      <div
        id="session-panel"
        popover="auto"
        class="panel"
        role="group"
        aria-label="Session"
        onToggle={({ newState }) => void (newState === 'open' && studio.shop.loadHealth())}
      >
        <h2>{nameOf(studio, about)}</h2>
        <p>{describe(studio, about)}</p>
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

/** Whether the server has made the name of the session, which says nothing to its visitor. */
function isOwnShop({ session, may }: Health): boolean {
  if (session === undefined || session.ended !== undefined) return false;
  return uuid.test(session.name) || (may.control && !may.sessions);
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

function nameOf(studio: Studio, about: Health): string {
  const { session } = about;
  if (!about.may.control) return `The ${studio.shop.apiName.value} API`;
  if (session === undefined) return about.sessions > 0 ? 'The shared shop' : 'The shop';
  return isOwnShop(about) ? 'Your shop' : `Session ${session.name}`;
}

/** Returns undefined where there is only one shop. */
function shortNameOf(studio: Studio, about: Health): string | undefined {
  const { session } = about;
  if (!about.may.control) return `${studio.shop.apiName.value} API`;
  if (session === undefined) return about.sessions > 0 ? 'shared shop' : undefined;
  const { name } = session;
  if (isOwnShop(about)) return 'your shop';
  return `session ${name.length > 14 ? `${name.slice(0, 12)}…` : name}`;
}

/** Says to a visitor of a demo whose shop it is, how long it lasts, and how to begin again. Once closed, it is for the tab. */
export function Welcome() {
  const studio = useStudio();
  const [isClosed, setClosed] = useState(() => (tabStorage()?.getItem(welcomed) ?? null) !== null);
  const about = studio.shop.health.value;
  if (isClosed || about?.may.control !== true || !isOwnShop(about)) return null;
  const close = () => {
    tabStorage()?.setItem(welcomed, 'yes');
    setClosed(true);
  };
  return (
    <section class="card row welcome" aria-label="Welcome">
      <p class="grow">
        <b>This shop is yours.</b> {`Only you see what you change. ${lifeOf(about)}`}
      </p>
      <Button onClick={() => studio.actions.act('Began again', 'POST /_backlot/reset', {})}>
        Begin again
      </Button>
      <Button kind="quiet" of="welcome" onClick={close}>
        Close
      </Button>
    </section>
  );
}

const welcomed = 'backlot-welcomed';

/** `It ends after 30 min without use.` */
function lifeOf({ session }: Pick<Health, 'session'>): string {
  if (session?.seconds_left === undefined) return '';
  const minutes = Math.round(session.seconds_left / 60);
  return `It ends after ${minutes} min${session.ends_by === 'life' ? ', used or not' : ' without use'}.`;
}

function describe(studio: Studio, { session, may }: Health): string {
  if (!may.control)
    return `You may call the ${studio.shop.apiName.value} API, but not the control API of this server.`;
  if (session === undefined) return 'Everyone who calls this address uses the same shop.';
  if (session.ended !== undefined) return `It was removed: ${session.ended}.`;
  if (session.scenario === undefined) return 'What you change is in a copy of your own.';
  return `Only clients with this address, header or cookie use this shop. ${lifeOf({ session })}`.trim();
}

/** The URL in front of the path of the store API, for clients elsewhere: they do not have the cookie of a session. */
export function shopRoot(studio: Studio): string {
  const { session, address = '' } = studio.shop.health.value ?? {};
  const own = session === undefined ? '' : `/s/${session.name}`;
  const base = new URL(studio.client.source.root, location.href).href.replace(/\/$/, '');
  return address.endsWith(own) ? base : `${base}${own}`;
}

function Address({ about }: { readonly about: Health }) {
  const studio = useStudio();
  const { session } = about;
  const url = `${shopRoot(studio)}${about.api_path}`;
  const lines = [
    [`Address of the ${studio.shop.apiName.value} API`, url],
    ...(session === undefined
      ? []
      : [['or this header with each request', `X-Backlot-Session: ${session.name}`] as const]),
    ...(about.list === undefined ? [] : [['Try it', `curl '${url}${about.list}'`] as const]),
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

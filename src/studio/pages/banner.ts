// A banner for the pages of a demo: whose shop they use, until when, and a button that resets it.
// <script src="http://localhost:4000/_backlot/banner.js" defer></script>

interface Health {
  readonly scenario: string;
  readonly session?: {
    readonly name: string;
    readonly scenario?: string;
    readonly seconds_left?: number;
    readonly ends_by?: 'idle' | 'life';
    readonly ended?: string;
  };
}

const refreshInterval = 30_000;
const script = document.currentScript;
const root = script instanceof HTMLScriptElement ? new URL('./', script.src).href : '/_backlot/';

/** A shadow tree keeps the styles of the page and of the banner apart. */
const host = document.createElement('backlot-banner');
const shadow = host.attachShadow({ mode: 'open' });
const style = new CSSStyleSheet();
style.replaceSync(`
:host { position: fixed; inset: auto 0 0; z-index: 2147483647; color-scheme: light dark; }
div {
  display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; padding: 0.4rem 0.8rem;
  font: 14px/1.4 system-ui, sans-serif;
  color: light-dark(#1d2129, #e4e6ea); background: light-dark(#fff, #1c1f25);
  border-top: 1px solid light-dark(#dfe0dc, #31353d);
}
span { flex: 1 1 12rem; }
button {
  font: inherit; color: inherit; background: transparent; cursor: pointer;
  border: 1px solid light-dark(#8a8f98, #6b7280); border-radius: 6px; padding: 0.15rem 0.6rem;
}
button:focus-visible { outline: 2px solid light-dark(#0b6e4f, #5fd0a5); outline-offset: 1px; }
`);
shadow.adoptedStyleSheets = [style];
const text = document.createElement('span');
text.setAttribute('role', 'status');
const button = document.createElement('button');
button.type = 'button';
button.textContent = 'Reset';
const bar = document.createElement('div');
bar.append(text, button);
shadow.append(bar);

async function control(method: 'GET' | 'POST', path: string): Promise<Response> {
  const response = await fetch(`${root}${path}`, { method, credentials: 'include' });
  if (response.ok) return response;
  throw new Error(`${response.status} ${response.statusText}`);
}

function describe({ scenario, session }: Health): string {
  if (session?.ended !== undefined) return `Your shop was removed: ${session.ended}.`;
  if (session?.scenario === undefined) {
    return `A demo shop, “${scenario}”. What you change is in a copy of your own.`;
  }
  const end = new Date(Date.now() + (session.seconds_left ?? 0) * 1000);
  const time = end.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const use = session.ends_by === 'life' ? ', used or not' : ' if you do not use it';
  return `Your own demo shop, “${session.scenario}”, until ${time}${use}.`;
}

async function refresh(): Promise<void> {
  try {
    const health = (await (await control('GET', 'health')).json()) as Health;
    text.textContent = describe(health);
    button.hidden = health.session?.scenario === undefined;
  } catch (error) {
    text.textContent = `The demo shop does not answer: ${String(error)}`;
  }
}

async function reset(): Promise<void> {
  try {
    await control('POST', 'reset');
    location.reload();
  } catch (error) {
    text.textContent = `The shop was not reset: ${String(error)}`;
  }
}

button.addEventListener('click', () => void reset());
document.body.append(host);
void refresh();
setInterval(() => void refresh(), refreshInterval);

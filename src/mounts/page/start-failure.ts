import { withPage } from '../../engine/lib/error-page.ts';

/** The failure of a page that the worker does not control in time. */
export function uncontrolledPage(url: string): StartFailure {
  return new StartFailure(
    `the worker ${url} does not control this page. Reload the page; if that fails, close the other pages of ${location.origin}.`,
  );
}

/** The reason why the worker does not serve the page, and the fix. */
class StartFailure extends Error {
  override readonly name = 'StartFailure';

  constructor(reason: string, cause?: unknown) {
    super(withPage('worker-script', `Failed to start the back office: ${reason}`), { cause });
  }
}

const copyHint =
  'Copy it there with `npx msw init <public folder>` or the plugin of `msw/vite`, or set the option workerUrl.';

/** The failure of a call in Node.js, as by a framework that renders on a server. */
export function noPage(): StartFailure {
  return new StartFailure(
    'startWorker must be called in a page, not in Node.js. Call it in an effect or behind `typeof window`, or use `listen` of backlot/node there.',
  );
}

/** The failure of a page that may have no service worker. */
export function noServiceWorkers(): StartFailure {
  return new StartFailure(
    isSecureContext
      ? 'this page has no service workers. Some browsers disable them in private windows.'
      : `a service worker requires a secure page. Open it over https or at http://localhost, not at ${location.origin}.`,
  );
}

/** The failure of a page that is not below the folder of the worker script, as service workers require. */
export function outOfScope(scriptUrl: string, scope: string): StartFailure {
  return new StartFailure(
    `the worker script ${scriptUrl} serves only pages below ${scope}, not ${location.href}. Move it to a higher folder.`,
  );
}

/** The failure of a page that a worker of another script controls. */
export function otherWorker(workerUrl: string, otherUrl: string): StartFailure {
  return new StartFailure(controls(otherUrl, workerUrl));
}

/** The warning of a page that a worker of another script has taken. */
export function lostPage(workerUrl: string, otherUrl: string): string {
  return `Backlot no longer answers requests: ${controls(otherUrl, workerUrl)}`;
}

function controls(otherUrl: string, workerUrl: string): string {
  return `the worker ${otherUrl} controls this page, not ${absolute(workerUrl)}. ${oneWorker(workerUrl, otherUrl)}`;
}

/** The warning of a start that took the page from a worker of the app, or of another project that had this address. */
export function tookPage(workerUrl: string, otherUrl: string): string {
  return `Backlot has taken this page from the worker ${otherUrl}, by ${absolute(workerUrl)}. ${oneWorker(workerUrl, otherUrl)}`;
}

/** The ways out for two scripts of which a page can have one. */
function oneWorker(workerUrl: string, otherUrl: string): string {
  const [script, other] = [workerUrl, otherUrl].map((url) => new URL(url, location.href).pathname);
  return `A page has one worker. Either register ${other} only where startWorker is not called, or begin it with importScripts('${script}') and call startWorker({ workerUrl: '${other}' }).`;
}

/** Returns the most likely reason why the worker did not start. */
export async function startFailure(workerUrl: string, cause: unknown): Promise<StartFailure> {
  if (cause instanceof StartFailure) return cause;
  if (messageOf(cause).includes('replace a global value')) return new StartFailure(otherMsw, cause);
  const url = absolute(workerUrl);
  const issue = await scriptIssue(url);
  return issue === undefined
    ? new StartFailure(messageOf(cause), cause)
    : scriptMissing(url, issue, cause);
}

const otherMsw =
  'MSW runs in this page already, by a setupWorker of the app. Pass its handlers in its place: startWorker({ handlers }).';

/** @throws StartFailure if there is no worker script at a URL */
export async function assertScript(workerUrl: string): Promise<void> {
  const url = absolute(workerUrl);
  const issue = await scriptIssue(url);
  if (issue !== undefined) throw scriptMissing(url, issue);
}

function scriptMissing(url: string, issue: string, cause?: unknown): StartFailure {
  return new StartFailure(`worker script ${url} not found: ${issue}. ${copyHint}`, cause);
}

/** Returns why a URL is no script, if it is none. Many development servers return the page for an unknown path. */
async function scriptIssue(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { method: 'HEAD' });
    const type = response.headers.get('content-type') ?? 'none';
    if (!response.ok) return `its status is ${response.status}`;
    return type.includes('javascript') ? undefined : `its content type is ${type}`;
  } catch (error) {
    return messageOf(error);
  }
}

function absolute(url: string): string {
  return new URL(url, location.href).href;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

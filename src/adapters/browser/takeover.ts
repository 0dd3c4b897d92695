/**
 * Registers the worker script and waits until its worker controls this page, which MSW assumes.
 *
 * @throws StartFailure for a page that is out of the worker's scope, or that the worker does not control in time
 */
export async function takeOver(workerUrl: string): Promise<void> {
  const { serviceWorker } = navigator;
  const url = new URL(workerUrl, location.href).href;
  const found = await serviceWorker.getRegistrations();
  const known = found.find(({ active }) => active !== null && isSameScript(active.scriptURL, url));
  const registration = known ?? (await serviceWorker.register(url));
  assertScope(url, registration.scope);
  // A known worker does not control a page after a hard reload. MSW then reloads the page.
  if (known !== undefined || serviceWorker.controller !== null) return;
  // A worker that was unregistered stays active while its last page is open. Registered again, it takes control of no page,
  // because it does so only when it is activated. Another URL of the script gives a new worker.
  const { active } = registration;
  if (active?.state === 'activated') await serviceWorker.register(otherUrl(active.scriptURL));
  await control(url);
}

/** Whether two URLs are of the same worker script. `takeOver` uses two URLs of each. */
export function isSameScript(scriptUrl: string, wantedUrl: string): boolean {
  return plain(scriptUrl) === plain(wantedUrl);
}

const again = /[?&]again$/;

function plain(url: string): string {
  return url.replace(again, '');
}

function otherUrl(url: string): string {
  if (again.test(url)) return plain(url);
  return `${url}${url.includes('?') ? '&' : '?'}again`;
}

async function control(url: string): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker.controller !== null) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(uncontrolled(url)), 10_000);
    const controlled = (): void => {
      clearTimeout(timer);
      resolve();
    };
    serviceWorker.addEventListener('controllerchange', controlled, { once: true });
  });
}

function uncontrolled(url: string): StartFailure {
  return new StartFailure(
    `the worker ${url} does not control this page. Reload the page; if that fails, close the other pages of ${location.origin}.`,
  );
}

/** The reason why the worker does not serve the page, and the fix. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';

  constructor(reason: string, cause?: unknown) {
    super(`Failed to start the back office: ${reason}`, { cause });
  }
}

const copyHint =
  'Copy it there with `npx msw init <public folder>` or the plugin of `msw/vite`, or set the option workerUrl.';

/** @throws StartFailure if the browser allows no service worker */
export function assertSecurePage(): void {
  if (!isSecureContext) {
    throw new StartFailure(
      `a service worker requires a secure page. Open it over https or at http://localhost, not at ${location.origin}.`,
    );
  }
  if (!('serviceWorker' in navigator)) {
    throw new StartFailure(
      'this page has no service workers. Some browsers disable them in private windows.',
    );
  }
}

/**
 * Checks that this page is below the folder of the worker script, as service workers require.
 *
 * @throws StartFailure
 */
export function assertScope(scriptUrl: string, scope: string): void {
  if (location.href.startsWith(scope)) return;
  throw new StartFailure(
    `the worker script ${scriptUrl} serves only pages below ${scope}, not ${location.href}. Move it to a higher folder.`,
  );
}

/** Returns the most likely reason why the worker did not start. */
export async function startFailure(workerUrl: string, cause: unknown): Promise<StartFailure> {
  if (cause instanceof StartFailure) return cause;
  const url = new URL(workerUrl, location.href).href;
  const issue = await scriptIssue(url);
  return issue === undefined
    ? new StartFailure(messageOf(cause), cause)
    : new StartFailure(`worker script ${url} not found: ${issue}. ${copyHint}`, cause);
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

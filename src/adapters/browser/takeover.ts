/**
 * Registers the worker script, and waits until its worker serves this page: MSW takes that for granted.
 *
 * @throws StartFailure for a page that the worker cannot serve, or does not come to serve
 */
export async function takeOver(workerUrl: string): Promise<void> {
  const { serviceWorker } = navigator;
  const url = new URL(workerUrl, location.href).href;
  const found = await serviceWorker.getRegistrations();
  const known = found.find(({ active }) => active !== null && isSameScript(active.scriptURL, url));
  const registration = known ?? (await serviceWorker.register(url));
  assertScope(url, registration.scope);
  // A worker that is there and does not serve the page: the page went past it, and MSW loads it again.
  if (known !== undefined || serviceWorker.controller !== null) return;
  // Unregistered when the last page stopped, but still at hand because that page is open, the worker has come back as it
  // was. It takes pages over when it is activated, which it was long ago. One under another URL is a new one.
  const { active } = registration;
  if (active?.state === 'activated') await serviceWorker.register(otherUrl(active.scriptURL));
  await control(url);
}

/** Whether the script is the one that is wanted, under whichever of its URLs. */
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
    const patience = setTimeout(() => reject(uncontrolled(url)), 10_000);
    const seen = (): void => {
      clearTimeout(patience);
      resolve();
    };
    serviceWorker.addEventListener('controllerchange', seen, { once: true });
  });
}

function uncontrolled(url: string): StartFailure {
  return new StartFailure(
    `the worker ${url} does not take over this page. Load the page again; if that does not help, close the other pages of ${location.origin}.`,
  );
}

/** Why no worker answers the page, and what to do. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';

  constructor(why: string, cause?: unknown) {
    super(`Failed to start the back office: ${why}`, { cause });
  }
}

const howToGetIt =
  'Put it there with `npx msw init <public folder>` or with the plugin of `msw/vite`, or say where it is by the option workerUrl.';

/** @throws StartFailure where the browser allows no service worker */
export function assertSecurePage(): void {
  if (!isSecureContext) {
    throw new StartFailure(
      `a service worker needs a secure page, and ${location.origin} is none. Open it by https, or by http at localhost.`,
    );
  }
  if (!('serviceWorker' in navigator)) {
    throw new StartFailure(
      'this browser has no service workers here; some have none in private windows.',
    );
  }
}

/**
 * A worker serves the pages below its own folder and no others.
 *
 * @throws StartFailure where this page is none of them
 */
export function assertScope(scriptUrl: string, scope: string): void {
  if (location.href.startsWith(scope)) return;
  throw new StartFailure(
    `the worker script ${scriptUrl} serves pages under ${scope}, and ${location.href} is none of them. Put it higher up.`,
  );
}

/** Why the worker did not start, as well as can be found out. */
export async function startFailure(workerUrl: string, cause: unknown): Promise<StartFailure> {
  if (cause instanceof StartFailure) return cause;
  const url = new URL(workerUrl, location.href).href;
  const found = await whatIsAt(url);
  return found === undefined
    ? new StartFailure(messageOf(cause), cause)
    : new StartFailure(`there is no worker script at ${url}: ${found}. ${howToGetIt}`, cause);
}

/** Many development servers answer an unknown path with the page itself. */
async function whatIsAt(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { method: 'HEAD' });
    const type = response.headers.get('content-type') ?? 'nothing';
    if (!response.ok) return `it answers ${response.status}`;
    return type.includes('javascript') ? undefined : `it answers ${type}`;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

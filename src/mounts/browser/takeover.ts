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
  if (!location.href.startsWith(registration.scope)) {
    throw (await loadFailures()).outOfScope(url, registration.scope);
  }
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
    const timer = setTimeout(() => {
      loadFailures().then(({ uncontrolledPage }) => reject(uncontrolledPage(url)), reject);
    }, 10_000);
    const controlled = (): void => {
      clearTimeout(timer);
      resolve();
    };
    serviceWorker.addEventListener('controllerchange', controlled, { once: true });
  });
}

/** @throws StartFailure outside of a page, or if the browser allows no service worker */
export async function assertSecurePage(): Promise<void> {
  if (!('location' in globalThis)) throw (await loadFailures()).noPage();
  if (isSecureContext && 'serviceWorker' in navigator) return;
  throw (await loadFailures()).noServiceWorkers();
}

/** Loads the messages of failures when there is one: a page loads no more than it needs before the first response. */
export const loadFailures = () => import('./start-failure.ts');

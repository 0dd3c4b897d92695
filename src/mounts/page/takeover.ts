/**
 * Registers the worker script and waits until its worker controls this page, which MSW assumes. A worker of another script that
 * has controlled it, or would have, is named in the console.
 *
 * @throws StartFailure for a page that is out of the worker's scope, that another worker controls, or that the worker does not
 * control in time
 */
export async function takeOver(workerUrl: string): Promise<void> {
  const { serviceWorker } = navigator;
  const url = new URL(workerUrl, location.href).href;
  const found = await serviceWorker.getRegistrations();
  const known = found.find(({ active }) => active !== null && isSameScript(active.scriptURL, url));
  const before = await serviceWorker.getRegistration();
  const other = otherScript(url, before);
  const registration = known ?? (await serviceWorker.register(url));
  if (!location.href.startsWith(registration.scope)) {
    throw (await loadFailures()).outOfScope(url, registration.scope);
  }
  if (isControlledBy(url)) return;
  // Of the scopes of a page, the longest has it.
  if (other !== undefined && (before?.scope ?? '').length > registration.scope.length) {
    throw (await loadFailures()).otherWorker(url, other);
  }
  // A known worker does not control a page after a hard reload. MSW then reloads the page.
  if (known !== undefined && serviceWorker.controller === null) return;
  // A worker that was unregistered stays active while its last page is open. Registered again, it takes control of no page,
  // because it does so only when it is activated. Another URL of the script gives a new worker.
  const { active } = registration;
  if (active?.state === 'activated' && isSameScript(active.scriptURL, url)) {
    await serviceWorker.register(otherUrl(active.scriptURL));
  }
  await control(url);
  if (other === undefined) return;
  const { tookPage } = await loadFailures();
  // oxlint-disable-next-line no-console -- the start succeeds, so there is nothing to throw
  console.warn(tookPage(url, other));
}

/** Returns the script of a worker that has this page, or would have it at its next load, unless it is the wanted one. */
function otherScript(url: string, registration?: ServiceWorkerRegistration): string | undefined {
  const { controller } = navigator.serviceWorker;
  const { active, waiting, installing } = registration ?? {};
  const scripts = [controller, active, waiting, installing].map((worker) => worker?.scriptURL);
  return scripts.find((script) => script !== undefined && !isSameScript(script, url));
}

/** Whether a worker of this script controls the page. */
export function isControlledBy(workerUrl: string): boolean {
  const { controller } = navigator.serviceWorker;
  return (
    controller !== null &&
    isSameScript(controller.scriptURL, new URL(workerUrl, location.href).href)
  );
}

/** Resolves with the script of another worker, as soon as that controls this page. */
export function controlLost(workerUrl: string): Promise<string> {
  const url = new URL(workerUrl, location.href).href;
  return controllerThat((scriptUrl) => !isSameScript(scriptUrl, url));
}

/** Resolves with the script of the worker that controls this page, as soon as a condition accepts it. */
function controllerThat(accepts: (scriptUrl: string) => boolean): Promise<string> {
  const { serviceWorker } = navigator;
  return new Promise((resolve) => {
    const check = (): void => {
      const { controller } = serviceWorker;
      if (controller === null || !accepts(controller.scriptURL)) return;
      serviceWorker.removeEventListener('controllerchange', check);
      resolve(controller.scriptURL);
    };
    serviceWorker.addEventListener('controllerchange', check);
    check();
  });
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

/** Waits until a worker of the script controls this page, at most 10 seconds. */
async function control(url: string): Promise<void> {
  const controlled = controllerThat((scriptUrl) => isSameScript(scriptUrl, url));
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, 10_000);
  });
  if ((await Promise.race([controlled, late])) !== undefined) return;
  throw (await loadFailures()).uncontrolledPage(url);
}

/** @throws StartFailure outside of a page, or if the browser allows no service worker */
export async function assertSecurePage(): Promise<void> {
  if (!('location' in globalThis)) throw (await loadFailures()).noPage();
  if (isSecureContext && 'serviceWorker' in navigator) return;
  throw (await loadFailures()).noServiceWorkers();
}

/** Loads the messages of failures when there is one: a page loads no more than it needs before the first response. */
export const loadFailures = () => import('./start-failure.ts');

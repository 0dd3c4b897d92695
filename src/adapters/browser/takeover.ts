import { refuseOtherScope, StartFailure } from './failures.ts';

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
  refuseOtherScope(url, registration.scope);
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

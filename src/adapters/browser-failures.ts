const howToGetIt =
  'Put it there with `npx msw init <public folder>` or with the plugin of `msw/vite`, or say where it is by the option workerUrl.';

/** @throws Error where the browser allows no service worker */
export function refuseInsecurePage(): void {
  if (!isSecureContext) {
    throw new Error(
      `Failed to start the back office: a service worker needs a secure page, and ${location.origin} is none. Open it by https, or by http at localhost.`,
    );
  }
  if (!('serviceWorker' in navigator)) {
    throw new Error(
      'Failed to start the back office: this browser has no service workers here; some have none in private windows.',
    );
  }
}

/** Why the worker did not start, as well as can be found out. */
export async function startFailure(workerUrl: string, cause: unknown): Promise<Error> {
  const url = new URL(workerUrl, location.href).href;
  const found = await whatIsAt(url);
  return found === undefined
    ? new Error(`Failed to start the back office: ${messageOf(cause)}`, { cause })
    : new Error(
        `Failed to start the back office: there is no worker script at ${url}: ${found}. ${howToGetIt}`,
        { cause },
      );
}

/** A worker serves the pages below its own folder and no others. */
export function wrongScope(workerUrl: string, scope: string | undefined): Error | undefined {
  if (scope === undefined || location.href.startsWith(scope)) return undefined;
  return new Error(
    `Failed to start the back office: the worker script ${workerUrl} serves pages under ${scope}, and ${location.href} is none of them. Put it higher up.`,
  );
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

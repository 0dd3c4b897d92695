import type { OpenedView } from '../../engine/definition/named-state.ts';
import { valueAt } from '../../engine/lib/json-value.ts';
import type { MountedBackOffice } from '../mount.ts';

/**
 * Opens a state by the control API. A page that keeps its shop opens the state of an address once: its reloads find what it opened.
 *
 * @param send as `fetch` of the back office
 * @param keptAs the name of the kept state, if it is kept
 * @throws Error with the message of the API, which lists the states; the page shows it, too
 */
export async function openState(
  backOffice: MountedBackOffice,
  send: MountedBackOffice['fetch'],
  name: string,
  keptAs: string | undefined,
): Promise<OpenedView> {
  const key = `backlot ${keptAs} ${name} ${location.href}`;
  const before = keptAs === undefined ? undefined : knownAt(key);
  if (before !== undefined && isThere(backOffice, before)) return before;
  const response = await send(`/_backlot/states/${encodeURIComponent(name)}`, { method: 'POST' });
  const body: unknown = await response.json();
  if (!response.ok) {
    const message = String(valueAt(body, ['message']));
    showBanner(message);
    throw new Error(message);
  }
  if (keptAs !== undefined) localStorage.setItem(key, JSON.stringify(body));
  return body as OpenedView;
}

function knownAt(key: string): OpenedView | undefined {
  const text = localStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as OpenedView);
}

/** Whether the kept shop still has what was opened: its order, or the scenario. */
function isThere(backOffice: MountedBackOffice, { url, state }: OpenedView): boolean {
  if (url === undefined) return backOffice.scenario.name === state;
  return backOffice.requestUnobserved({ method: 'GET', url, headers: {} }).status !== 404;
}

/** Shows a message in a page that will not render, because its start fails. */
function showBanner(message: string): void {
  const banner = document.createElement('div');
  banner.setAttribute('role', 'alert');
  banner.textContent = `Backlot: ${message}`;
  banner.style.cssText =
    'position:fixed;inset:auto 0 0;padding:.6rem 1rem;font:14px/1.4 system-ui,sans-serif;color:#1d2129;background:#fff;border-top:3px solid #b42318;z-index:2147483647';
  document.documentElement.append(banner);
}

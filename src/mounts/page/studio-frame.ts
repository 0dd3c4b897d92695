import { trimSlashes } from '../../engine/lib/api-path.ts';
import type { MountedBackOffice } from '../mount.ts';

/**
 * Shows the studio in a frame of the page. Navigations go to the network, so the frame gets each page as `srcdoc`;
 * scripts, style sheets and requests of such a frame go through the worker of the page.
 */
export async function openStudio(
  { fetch }: Pick<MountedBackOffice, 'fetch'>,
  baseUrl: string,
): Promise<HTMLIFrameElement> {
  const prefix = baseUrl === '*' ? '' : trimSlashes(baseUrl);
  const root = new URL(`${prefix}/_backlot/`, location.href);
  const frame = document.createElement('iframe');
  frame.title = 'Backlot studio';
  frame.style.cssText =
    'position:fixed;inset:auto 0 0;width:100%;height:60vh;border:0;box-shadow:0 0 12px #0008;z-index:2147483647';
  const show = async (url: URL): Promise<void> => {
    // Until its links are handled, a click would navigate the frame to the network.
    frame.inert = true;
    const response = await fetch(url);
    const text = await response.text();
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
    // A frame shows no icon, and a Content-Security-Policy of the page would block it.
    frame.srcdoc = isPage
      ? text
          .replace('<head>', `<head><base href="${url.href}">`)
          .replace(/<link rel="icon"[^<>]*>/, '')
      : `<pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;
  };
  frame.addEventListener('load', () => {
    const page = frame.contentDocument;
    frame.inert = false;
    page?.addEventListener('click', (event) => {
      // Its elements are of the classes of the frame.
      const { Element: Own = Element } = page.defaultView ?? {};
      const link = event.target instanceof Own ? event.target.closest('a') : null;
      if (link === null) return;
      event.preventDefault();
      const { hash, href } = link;
      if (hash !== '') page.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
      else if (href.startsWith(root.href)) void show(new URL(href));
    });
  });
  await show(root);
  document.body.append(frame);
  return frame;
}

import { observed, observeParsing } from './json-reads.ts';
import type { FieldPath } from './mutations.ts';
import { pageTexts } from './page-texts.ts';

/** What a page tells of itself while a test runs in it. */
export type PageEvent =
  /** It sends a request, and shows this. */
  | {
      readonly kind: 'sent';
      readonly method: string;
      readonly url: string;
      readonly texts: readonly string[];
    }
  /** It parses a JSON text. */
  | { readonly kind: 'parsed'; readonly id: string; readonly text: string }
  /** It reads a field of that text. */
  | { readonly kind: 'read'; readonly id: string; readonly path: FieldPath };

/** What the global object of a page has in which this script runs. */
export interface WatchedPage {
  /** Is defined by the runner. */
  backlotTell(event: PageEvent): Promise<void>;
  /** Returns what the page shows. */
  backlotTexts: typeof pageTexts;
}

type Page = typeof globalThis & WatchedPage;

watchPage(globalThis as Page);

/** Has a page tell which requests it sends, and which fields of JSON it reads. */
function watchPage(page: Page): void {
  page.backlotTexts = pageTexts;
  // The promise of a page that navigates stays pending.
  const tell = (event: PageEvent): void => void page.backlotTell(event);
  observeRequests(page, (method, url) =>
    tell({ kind: 'sent', method, url, texts: pageTexts() ?? [] }),
  );
  let count = 0;
  observeParsing((text, value) => {
    if (typeof value !== 'object' || value === null) return value;
    const id = `${performance.timeOrigin} ${(count += 1)}`;
    tell({ kind: 'parsed', id, text });
    const told = new Set<string>();
    return observed(value, (path) => {
      const key = path.join('\0');
      if (told.has(key)) return;
      told.add(key);
      tell({ kind: 'read', id, path });
    });
  });
}

/** Calls a listener before each request of `fetch` and `XMLHttpRequest`. */
function observeRequests(page: Page, onSend: (method: string, url: string) => void): void {
  const { fetch, XMLHttpRequest: Xhr } = page;
  page.fetch = (input, init) => {
    const { method = 'GET', url } = input instanceof Request ? input : { url: String(input) };
    onSend((init?.method ?? method).toUpperCase(), url);
    return fetch(input, init);
  };
  const { prototype } = Xhr;
  const opened = new WeakMap<XMLHttpRequest, readonly [method: string, url: string]>();
  // oxlint-disable-next-line typescript/unbound-method -- called with the request
  const { open, send } = prototype;
  prototype.open = function openObserved(
    this: XMLHttpRequest,
    ...args: [method: string, url: string | URL, ...others: unknown[]]
  ) {
    opened.set(this, [args[0].toUpperCase(), String(args[1])]);
    Reflect.apply(open, this, args);
  };
  prototype.send = function sendObserved(this: XMLHttpRequest, body) {
    onSend(...(opened.get(this) ?? ['GET', '']));
    send.call(this, body);
  };
}

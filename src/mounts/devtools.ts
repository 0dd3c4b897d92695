import type { MountedBackOffice } from './mount.ts';

/** A back office in the page, or the URL in front of `/_backlot/` of a server: `http://localhost:4000`. */
export type DevtoolsShop =
  | (Pick<MountedBackOffice, 'fetch' | 'on'> & Partial<Pick<MountedBackOffice, 'recordHistory'>>)
  | string;

export interface DevtoolsOptions {
  /** The key that opens and closes the panel, which Escape closes, too (default: `Alt+Shift+B`). */
  readonly key?: string | undefined;
  /** Whether the panel is open at first (default: false). */
  readonly open?: boolean | undefined;
}

export interface StudioOptions {
  /** The first page, as in its links: `orders/1`, `rules` (default: the activity). */
  readonly show?: string | undefined;
  /** Receives what it shows, in the form of `show`, when that changes: to show it again after a reload. */
  readonly onShow?: ((shown: string) => void) | undefined;
}

const tag = 'backlot-devtools';

/**
 * Important styles of a shadow root are above those of its page, so `* { all: unset !important }` has no effect. Containment
 * of the host, and not of what scrolls, keeps fixed messages at the bottom of the panel.
 */
const style = `
:host {
  all: initial !important; direction: ltr !important; position: fixed !important; inset: auto 0 0 !important;
  z-index: 2147483647 !important; pointer-events: none !important; contain: layout !important;
}
.opener {
  position: absolute; inset: auto 0.6rem 0.6rem auto; padding: 0.3rem 0.7rem; cursor: pointer; pointer-events: auto;
  font: 600 13px/1.4 system-ui, sans-serif; color: #fff; background: #0b6e4f; border: 1px solid #fff; border-radius: 999px;
}
.opener:focus-visible { outline: 2px solid #0b6e4f; outline-offset: 2px; }
[hidden] { display: none; }
.frame {
  height: 62vh; overflow: auto; pointer-events: auto; color-scheme: light dark;
  background: light-dark(#f6f6f3, #14161a); border-top: 2px solid light-dark(#0b6e4f, #5fd0a5); box-shadow: 0 0 16px #0006;
}
:host([open]) .opener { bottom: calc(62vh + 0.6rem); }
`;

/**
 * Shows the studio as a panel in a page of yours: `showDevtools(await startWorker())`, or `showDevtools('/')` for the server
 * of the page. Turns the history of a back office in the page on, so that the panel says what each request changed. The
 * studio is loaded when the panel is first opened. With the export condition `production`, or without
 * `development`, this does nothing, so bundles for production contain none of it.
 *
 * @returns the function that removes it
 */
export function showDevtools(shop: DevtoolsShop, options: DevtoolsOptions = {}): () => void {
  defineElement();
  const element = document.createElement(tag);
  Object.assign(element, { shop });
  if (typeof shop === 'object') void shop.recordHistory?.();
  if (options.key !== undefined) element.setAttribute('key', options.key);
  if (options.open === true) element.setAttribute('open', '');
  document.body.append(element);
  return () => element.remove();
}

/**
 * Shows the studio in an element of a page of yours, such as a demo: `showStudio(element, office, { show: 'orders/1' })`. The
 * element says how large it is. In bundles for production it does nothing, as `showDevtools`.
 *
 * @returns the function that removes it
 */
export function showStudio(
  element: HTMLElement,
  shop: DevtoolsShop,
  options: StudioOptions = {},
): () => void {
  const closing = new AbortController();
  const frame = document.createElement('div');
  element.append(frame);
  void fill(frame, shop, closing.signal, options);
  return () => {
    closing.abort();
    frame.remove();
  };
}

/** Defines `<backlot-devtools url="http://localhost:4000">`, which `showDevtools` appends to a page. */
function defineElement(): void {
  if (customElements.get(tag) === undefined) customElements.define(tag, elementClass());
}

/** The class is made when it is used: a server that renders pages has no HTMLElement. */
function elementClass(): CustomElementConstructor {
  return class extends HTMLElement {
    static readonly observedAttributes = ['open'];
    shop: DevtoolsShop | undefined;
    #root: ShadowRoot | undefined;
    #frame: HTMLElement | undefined;
    /** The element that had the focus when the panel was opened. */
    #focused: Element | null = null;
    #abort = new AbortController();

    connectedCallback(): void {
      const { signal } = (this.#abort = new AbortController());
      const root = (this.#root ??= openRoot(this));
      const toggle = () => this.toggleAttribute('open');
      root.querySelector('button')?.addEventListener('click', toggle, { signal });
      const onKey = (event: KeyboardEvent) => {
        if (!isKey(event, this.getAttribute('key') ?? 'Alt+Shift+B')) return;
        event.preventDefault();
        toggle();
      };
      addEventListener('keydown', onKey, { signal });
      const onEscape = (event: KeyboardEvent) => {
        if (isEscape(event, this.#frame)) this.removeAttribute('open');
      };
      this.addEventListener('keydown', onEscape, { signal });
      this.attributeChangedCallback();
    }

    disconnectedCallback(): void {
      this.#abort.abort();
      this.#frame?.remove();
      this.#frame = undefined;
    }

    attributeChangedCallback(): void {
      const opener = this.#root?.querySelector('button');
      if (opener === null || opener === undefined) return;
      const isOpen = this.hasAttribute('open');
      opener.textContent = isOpen ? 'Close Backlot' : 'Backlot';
      if (isOpen && this.#frame === undefined) this.#frame = this.#openFrame();
      if (this.#frame === undefined || this.#frame.hidden === !isOpen) return;
      this.#frame.hidden = !isOpen;
      if (isOpen) this.#focused = document.activeElement;
      // The keys of the panel, such as Ctrl+K, are its own while it has the focus.
      focus(isOpen ? this.#frame : this.#focused);
    }

    #openFrame(): HTMLElement {
      const properties = { className: 'frame', hidden: true, tabIndex: -1 };
      const frame = Object.assign(document.createElement('div'), properties);
      this.#root?.append(frame);
      void fill(frame, this.shop ?? this.getAttribute('url') ?? '/', this.#abort.signal);
      return frame;
    }
  };
}

function focus(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus();
}

/** Shows the studio in an element until the signal aborts. */
async function fill(
  frame: HTMLElement,
  shop: DevtoolsShop,
  signal: AbortSignal,
  options: StudioOptions = {},
): Promise<void> {
  const { showPanel } = await import('../studio/shop/panel.ts');
  if (typeof shop === 'object') await shop.recordHistory?.();
  if (signal.aborted) return;
  const source =
    typeof shop === 'string' ? new URL(shop, location.href).href.replace(/\/$/, '') : shop;
  const close = showPanel(frame.attachShadow({ mode: 'open' }), source, options);
  signal.addEventListener('abort', close);
}

function openRoot(element: HTMLElement): ShadowRoot {
  const root = element.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];
  const opener = document.createElement('button');
  opener.type = 'button';
  opener.className = 'opener';
  opener.textContent = 'Backlot';
  root.append(opener);
  return root;
}

/** Whether an event is Escape, and not that of a dialog, a menu or a search inside of the panel. */
function isEscape(event: KeyboardEvent, frame: HTMLElement | undefined): boolean {
  if (event.key !== 'Escape' || event.defaultPrevented) return false;
  const [field] = event.composedPath();
  const isSearch = field instanceof HTMLInputElement && field.type === 'search';
  const inner = frame?.shadowRoot?.querySelector('dialog[open], :popover-open') ?? null;
  return inner === null && !(isSearch && field.value !== '');
}

/** Whether an event is a key such as `Alt+Shift+B`. */
function isKey(event: KeyboardEvent, key: string): boolean {
  const parts = key.toLowerCase().split('+');
  const letter = parts.pop() ?? '';
  return (
    (event.key.toLowerCase() === letter || event.code.toLowerCase() === `key${letter}`) &&
    event.altKey === parts.includes('alt') &&
    event.shiftKey === parts.includes('shift') &&
    event.ctrlKey === parts.includes('ctrl') &&
    event.metaKey === parts.includes('meta')
  );
}

if (typeof customElements !== 'undefined') defineElement();

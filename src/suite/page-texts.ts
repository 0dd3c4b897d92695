const [maxTexts, maxLength] = [300, 120];

/** The part of a global object that has a page. */
export interface PageHost {
  readonly document?:
    | {
        /** Missing while a page loads. */
        readonly body: HTMLElement | null | undefined;
      }
    | undefined;
}

interface Page {
  createElement: (name: string, options?: ElementCreationOptions) => HTMLElement;
}

/** The elements that a test has created. */
const createdIn = new WeakMap<object, Set<HTMLElement>>();

/**
 * Notes the elements that tests create, until the returned function is called. Some mount their app in one that is outside of
 * the document, as `mount` of the Test Utils of Vue does.
 */
export function watchElements({ document: page }: { readonly document?: Page }): () => void {
  if (page === undefined) return () => {};
  const { createElement } = page;
  const created = new Set<HTMLElement>();
  createdIn.set(page, created);
  page.createElement = (...args) => {
    const element = createElement.apply(page, args);
    created.add(element);
    return element;
  };
  return () => {
    page.createElement = createElement;
    createdIn.delete(page);
  };
}

/** Forgets the elements of the run before. */
export function forgetElements({ document: page }: PageHost = globalThis): void {
  if (page !== undefined) createdIn.get(page)?.clear();
}

/** Whether React or Vue shows an app in an element that is not in the document. */
function isDetachedApp(element: HTMLElement): boolean {
  const fields: [string, unknown][] = element.parentNode === null ? Object.entries(element) : [];
  return fields.some(
    ([name, app]) =>
      (name === '__vue_app__' || name.startsWith('__reactContainer$')) && app !== null,
  );
}

/**
 * Returns what a page shows: the text of each element with a text of its own, and values of fields, links and names. What
 * an app shows outside of the document is a part of it.
 *
 * @param host the global object of the page
 * @returns undefined without a document
 */
export function pageTexts(host: PageHost = globalThis): readonly string[] | undefined {
  const { document: page } = host;
  if (page?.body === undefined || page.body === null) return undefined;
  const roots = [page.body, ...Array.from(createdIn.get(page) ?? []).filter(isDetachedApp)];
  const texts = roots
    .flatMap((root): Element[] => [root, ...root.querySelectorAll('*')])
    .flatMap((element) => [textOf(element), ...attributesOf(element)])
    .filter((text) => text !== '');
  return [...new Set(texts)].slice(0, maxTexts);
}

function textOf(element: Element): string {
  if (/^(SCRIPT|STYLE)$/.test(element.tagName)) return '';
  const hasText = Array.from(element.childNodes).some(
    ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim() !== '',
  );
  const text = (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  return hasText && text.length <= maxLength ? text : '';
}

function attributesOf(element: Element): string[] {
  const isSecret = element.matches('[type="password"]');
  const value = 'value' in element && !isSecret ? String(element.value) : '';
  const named = ['href', 'src', 'aria-label', 'title', 'alt'].flatMap((name) => {
    const text = element.getAttribute(name);
    return text === null ? [] : [`${name} ${text}`];
  });
  const isOff = element.matches(':disabled');
  const isBusy = element.matches('[aria-busy="true"], progress, [role="progressbar"]');
  return [
    ...named,
    ...(value === '' ? [] : [`value ${value}`]),
    ...(isOff ? [`disabled ${textOf(element)}`.trim()] : []),
    ...(isBusy ? [`busy ${textOf(element)}`.trim()] : []),
  ];
}

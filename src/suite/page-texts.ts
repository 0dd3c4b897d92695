import { beginningOf } from '../engine/lib/problem.ts';

/** Maximum numbers of texts of a page, and of characters of each. */
const [maxTexts, maxLength] = [5000, 1000];

/** The text of an element with more characters has no text of the elements in it, which have theirs. */
const maxWhole = 120;

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

/** What an element showed when a run began. */
interface Stood {
  readonly texts: readonly string[];
  readonly nodes: readonly Node[];
}

/** The elements that stood in a page when a run began. */
const stoodIn = new WeakMap<object, ReadonlyMap<Element, Stood>>();

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
    stoodIn.delete(page);
  };
}

/** Begins a run: what stands in the page now, of the run before or of all tests, is not what the page shows in this one. */
export function beginPage({ document: page }: PageHost = globalThis): void {
  if (page?.body === undefined || page.body === null) return;
  createdIn.get(page)?.clear();
  const elements = elementsIn(page.body).map(
    (one) => [one, { texts: textsOf(one), nodes: textNodesOf(one) }] as const,
  );
  stoodIn.set(page, new Map(elements));
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
 * @returns undefined without a page: without a document, or if it has nothing but what stood there when the run began
 */
export function pageTexts(host: PageHost = globalThis): readonly string[] | undefined {
  const { document: page } = host;
  if (page?.body === undefined || page.body === null) return undefined;
  const elements = shownElements(page, page.body);
  const stood = stoodIn.get(page);
  const texts = new Set(elements.flatMap((one) => newTextsOf(one, stood?.get(one))));
  const isThere = elements.some((one) => one !== page.body && stood?.has(one) !== true);
  return texts.size > 0 || isThere ? [...texts].slice(0, maxTexts) : undefined;
}

/** Whether a page says to all its users, whatever their language, that something went wrong. */
export function showsAlert(host: PageHost = globalThis): boolean {
  const { document: page } = host;
  if (page?.body === undefined || page.body === null) return false;
  const stood = stoodIn.get(page);
  return shownElements(page, page.body).some(
    (one) =>
      one.matches('[role="alert"], [aria-invalid="true"]') &&
      stood?.has(one) !== true &&
      (one.textContent !== '' || one.hasAttribute('aria-invalid')),
  );
}

function shownElements(page: object, body: HTMLElement): Element[] {
  const apps = Array.from(createdIn.get(page) ?? []).filter(isDetachedApp);
  return [body, ...apps].flatMap(elementsIn);
}

/** Returns an element and those in it, also in its shadow tree, without what is hidden. */
function elementsIn(root: Element): Element[] {
  if (isHidden(root)) return [];
  const children = [...Array.from(root.shadowRoot?.children ?? []), ...Array.from(root.children)];
  return [root, ...children.flatMap(elementsIn)];
}

const hidden =
  'script, style, template, noscript, [hidden], [style*="display: none"], [style*="display:none"]';

/** Whether an element is not shown. Style sheets count in a browser only: others load few of them. */
function isHidden(element: Element): boolean {
  const hasStyle = 'checkVisibility' in element && element.isConnected;
  return element.matches(hidden) || (hasStyle && !element.checkVisibility());
}

/** Returns the texts of an element without those that stood there: a text that is written again is a new one. */
function newTextsOf(element: Element, stood: Stood | undefined): string[] {
  const texts = textsOf(element);
  if (stood === undefined) return texts;
  const isWritten = textNodesOf(element).some((node) => !stood.nodes.includes(node));
  return isWritten ? texts : texts.filter((text) => !stood.texts.includes(text));
}

function textsOf(element: Element): string[] {
  return [textOf(element), ...attributesOf(element)].filter((text) => text !== '');
}

function textNodesOf(element: Element): Node[] {
  return Array.from(element.childNodes).filter(
    ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim() !== '',
  );
}

function textOf(element: Element): string {
  const own = textNodesOf(element);
  if (own.length === 0) return '';
  const whole = oneLine(textIn(element));
  const text =
    whole.length > maxWhole ? own.map((node) => node.textContent ?? '').join(' ') : whole;
  return beginningOf(oneLine(text), maxLength);
}

/** Returns the text of an element with that of those in it. */
function textIn(element: Element): string {
  return Array.from(element.childNodes, (node) => {
    if (node.nodeType === 3) return node.textContent ?? '';
    return isElement(node) && !isHidden(node) ? textIn(node) : '';
  }).join('');
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Elements that have a value. */
const fields = 'input, textarea, select, meter, progress[value]';

/** Types of those whose value users do not see. */
const unseen = /^(hidden|password|checkbox|radio)$/i;

/** What `pageTexts` returns of an attribute. */
export const ofAttribute = /^(value|href|src|aria-label|title|alt) (.*)$/s;

/** Begins what `pageTexts` returns of the state of a control, which is no text of the page. */
export const ofControl = /^(checked|disabled|busy)\b/;

function attributesOf(element: Element): string[] {
  const isSeen = !unseen.test(element.getAttribute('type') ?? '');
  const isField = isSeen && element.matches(fields) && 'value' in element;
  const value = isField ? beginningOf(String(element.value), maxLength) : '';
  const named = ['href', 'src', 'aria-label', 'title', 'alt'].flatMap((name) => {
    const text = element.getAttribute(name);
    return text === null ? [] : [`${name} ${beginningOf(text, maxLength)}`];
  });
  const isOff = element.matches(':disabled');
  const isOn = element.matches('input:checked');
  const isBusy = element.matches('[aria-busy="true"], progress, [role="progressbar"]');
  return [
    ...named,
    ...(value === '' ? [] : [`value ${value}`]),
    ...(isOn ? [`checked ${labelOf(element as HTMLInputElement)}`.trim()] : []),
    ...(isOff ? [`disabled ${textOf(element)}`.trim()] : []),
    ...(isBusy ? [`busy ${textOf(element)}`.trim()] : []),
  ];
}

function labelOf({ labels, name }: HTMLInputElement): string {
  return oneLine(labels?.[0]?.textContent ?? '') || name;
}

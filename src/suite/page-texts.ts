const [maxTexts, maxLength] = [300, 120];

/** The part of a global object that has a page. */
export interface PageHost {
  readonly document?: { readonly body: HTMLElement | null } | undefined;
}

/**
 * Returns what a page shows: the text of each element with a text of its own, and values of fields, links and names.
 *
 * @param host the global object of the page
 * @returns undefined without a document
 */
export function pageTexts(host: PageHost = globalThis): readonly string[] | undefined {
  const { document: page } = host;
  if (page?.body === undefined || page.body === null) return undefined;
  const texts = Array.from(page.body.querySelectorAll('*')).flatMap((element) =>
    [textOf(element), ...attributesOf(element)].filter((text) => text !== ''),
  );
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

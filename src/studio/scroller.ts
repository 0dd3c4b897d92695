/** Returns the root of the studio: its document, or its shadow root in a page of others. */
export function rootOf(element: Element | null): Document | ShadowRoot {
  const root = element?.getRootNode();
  return root instanceof ShadowRoot ? root : document;
}

/** Returns the target of scroll and key events: the document, or in a panel the frame around the studio. */
export function hostOf(element: Element | null): Document | Element {
  const root = rootOf(element);
  return root instanceof ShadowRoot ? root.host : root;
}

/** Listens to events of several types. @returns the function that ends it */
export function listen(
  target: EventTarget,
  types: readonly string[],
  listener: (event: Event) => void,
  options?: AddEventListenerOptions,
): () => void {
  const end = new AbortController();
  for (const type of types)
    target.addEventListener(type, listener, { ...options, signal: end.signal });
  return () => end.abort();
}

/** Returns the element that scrolls. */
export function scrolledOf(element: Element | null): Element {
  const scroller = hostOf(element);
  return scroller instanceof Element ? scroller : scroller.documentElement;
}

/** Scrolls what has just unfolded into view: the `ref` of its element. */
export function unfold(element: Element | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

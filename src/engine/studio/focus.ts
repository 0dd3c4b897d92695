import { rootOf } from './scroller.ts';

const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';

/**
 * Gives the focus to the nearest element when the focused one is removed: the browser would give it to the body of the
 * page, and the next Tab would begin at the top.
 *
 * @returns the function that ends it
 */
export function keepFocus(main: HTMLElement): () => void {
  const end = new AbortController();
  const { signal } = end;
  /** The focused element, then the elements around it, each with its place among its siblings. */
  let path: (readonly [element: Element, at: number])[] = [];
  main.addEventListener(
    'focusin',
    ({ target }) => {
      path = [];
      for (
        let one = target as Element | null;
        one !== null && one !== main;
        one = one.parentElement
      )
        path.push([one, [...(one.parentElement?.children ?? [])].indexOf(one)]);
      path.push([main, 0]);
    },
    { signal },
  );
  // Whoever leaves an element wants no other.
  main.addEventListener(
    'focusout',
    ({ target }) =>
      queueMicrotask(() => {
        const isLeft = target === path[0]?.[0] && (target as Element).isConnected;
        if (isLeft) path = [];
      }),
    { signal },
  );
  const observer = new MutationObserver(() => {
    const [focused] = path[0] ?? [];
    if (focused === undefined || focused.isConnected) return;
    const known = path;
    path = [];
    const { activeElement } = rootOf(main);
    if (activeElement !== null && activeElement !== document.body) return;
    const around = known.findIndex(([element]) => element.isConnected);
    const [parent = main] = known[around] ?? [];
    const [, at = 0] = known[around - 1] ?? [];
    const inner = [...parent.children];
    const near = [...inner.slice(at), ...inner.slice(0, at).toReversed()];
    const found = near.map((one) => (one.matches(focusable) ? one : one.querySelector(focusable)));
    const next = found.find((one) => one !== null) ?? main;
    (next as HTMLElement).focus({ preventScroll: true });
  });
  observer.observe(main, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    end.abort();
  };
}

import { listen, rootOf } from './scroller.ts';

const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** The focused element, then the elements around it, each with its place among its siblings. */
type Path = readonly (readonly [element: Element, at: number])[];

/**
 * Gives the focus to the nearest element when the focused one is removed: the browser would give it to the body of the
 * page, and the next Tab would begin at the top.
 *
 * @returns the function that ends it
 */
export function restoreFocus(main: HTMLElement): () => void {
  let path: Path = [];
  const onFocus = ({ type, target }: Event): void => {
    if (!(target instanceof Element)) return;
    if (type === 'focusin') path = pathOf(target, main);
    // Whoever leaves an element wants no other.
    else
      queueMicrotask(() => {
        if (target === path[0]?.[0] && target.isConnected) path = [];
      });
  };
  const stop = listen(main, ['focusin', 'focusout'], onFocus);
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
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  });
  observer.observe(main, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    stop();
  };
}

function pathOf(focused: Element, main: HTMLElement): Path {
  const path: (readonly [element: Element, at: number])[] = [];
  for (let one: Element | null = focused; one !== null && one !== main; one = one.parentElement)
    path.push([one, [...(one.parentElement?.children ?? [])].indexOf(one)]);
  return [...path, [main, 0]];
}

import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { countOf } from '../format.ts';
import { hostOf, rootOf, scrolledOf } from '../scroller.ts';
import { Button } from '../ui.tsx';
import { useStudio } from '../studio.ts';

/** A button that lists the entries that have arrived while the list is paused, with their number. */
export function NewEntries({ card }: { readonly card: RefObject<HTMLElement | null> }) {
  const studio = useStudio();
  const count = studio.history.lastId.value - (studio.history.summaries.value.at(-1)?.id ?? 0);
  if (count <= 0) return null;
  const show = () => {
    studio.history.listWaiting();
    scrolledOf(card.current).scrollTo({ top: 0 });
  };
  return (
    <Button kind="primary" onClick={show}>
      {`Show ${countOf(count, 'new entry').replace('entrys', 'entries')}`}
    </Button>
  );
}

/** Whether the list is scrolled to, or has the focus. */
export function usePlace(card: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ isScrolled: false, isFocused: false });
  useEffect(() => {
    const [root, scroller] = [rootOf(card.current), hostOf(card.current)];
    const scrolled = scrolledOf(card.current);
    const update = () => {
      const isScrolled = scrolled.scrollTop > 40;
      const isFocused = Boolean(root.activeElement?.closest('.requests [role=list]'));
      setPlace((old) =>
        old.isScrolled === isScrolled && old.isFocused === isFocused
          ? old
          : { isScrolled, isFocused },
      );
    };
    const end = new AbortController();
    const options = { passive: true, signal: end.signal };
    scroller.addEventListener('scroll', update, options);
    for (const name of ['focusin', 'focusout']) root.addEventListener(name, update, options);
    return () => end.abort();
  }, []);
  return place;
}

/**
 * Pauses the list while a person reads it: while a row is open, focused, scrolled to or under the pointer, or the
 * list is paused by its button. New entries are only counted then, but the page's own actions show theirs at once.
 */
export function usePaused(isPaused: boolean): void {
  const studio = useStudio();
  // Before the next batch of entries, which would move the rows.
  useLayoutEffect(() => {
    studio.history.isPaused.value = isPaused;
    if (!isPaused) studio.history.listWaiting();
  }, [isPaused]);
  useEffect(
    () => () => {
      studio.history.isPaused.value = false;
      studio.history.listWaiting();
    },
    [],
  );
}

/** Loads the entry that a link names if it is not among those that are listed. */
export function useOpened(open: number): void {
  const studio = useStudio();
  const isListed = open === 0 || studio.history.summaries.value.some(({ id }) => id === open);
  useEffect(() => {
    if (!isListed) void studio.history.loadGap(open - 1, open + 1);
  }, [open, isListed]);
}

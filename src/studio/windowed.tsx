import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hostOf, scrolledOf } from './scroller.ts';

interface WindowedProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Height of a row in pixels. */
  readonly height: number;
  /** The row that may be higher, because it is open. */
  readonly openKey?: string | number | undefined;
  readonly keyOf: (row: Row) => string | number;
  readonly render: (row: Row) => JSX.Element;
}

/** A list of rows of one height, of which only those in sight are elements. */
export function Windowed<Row>(props: WindowedProps<Row>) {
  const { label, rows, height, openKey, keyOf, render } = props;
  const list = useRef<HTMLDivElement>(null);
  const extra = useRef(0);
  const [range, setRange] = useState({ from: 0, to: 60 });
  const openAt = openKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === openKey);
  const update = () => {
    const top = -(list.current?.getBoundingClientRect().top ?? 0);
    const shift = openAt >= 0 && top > (openAt + 1) * height ? extra.current : 0;
    const from = Math.max(0, Math.floor((top - shift) / height / 10) * 10 - 20);
    const to = from + Math.ceil(innerHeight / height / 10) * 10 + 50;
    setRange((old) => (old.from === from && old.to === to ? old : { from, to }));
  };
  useEffect(() => {
    update();
    const scroller = hostOf(list.current);
    const end = new AbortController();
    const options = { passive: true, capture: true, signal: end.signal };
    scroller.addEventListener('scroll', update, options);
    addEventListener('resize', update, options);
    return () => end.abort();
  }, [height, openAt]);
  const isOpenShown = openAt >= range.from && openAt < range.to;
  useEffect(() => {
    if (openAt < 0 || isOpenShown || list.current === null) return;
    const { top } = list.current.getBoundingClientRect();
    scrolledOf(list.current).scrollBy({ top: top + (openAt - 3) * height });
  }, [openKey, openAt < 0]);
  useEffect(() => {
    if (openAt < 0) extra.current = 0;
    const element = list.current?.querySelector<HTMLElement>('[data-open]');
    if (element !== null && element !== undefined) extra.current = element.offsetHeight - height;
  });
  const hidden = isOpenShown || openAt < 0 ? 0 : extra.current;
  const above = Math.min(range.from, rows.length) * height;
  const below = Math.max(0, rows.length - range.to) * height;
  return (
    <div ref={list} role="list" aria-label={label} class="windowed">
      <Spacer height={above + (openAt < range.from ? hidden : 0)} />
      {rows.slice(range.from, range.to).map((row) => (
        <div key={keyOf(row)} role="listitem" data-open={keyOf(row) === openKey || undefined}>
          {render(row)}
        </div>
      ))}
      <Spacer height={below + (openAt >= range.to ? hidden : 0)} />
    </div>
  );
}

/** The policy of the page forbids style attributes, not changes by a script. */
function Spacer({ height }: { readonly height: number }) {
  const element = useRef<HTMLDivElement>(null);
  // Before the browser paints: without its spacers, the list would jump.
  useLayoutEffect(() => {
    if (element.current !== null) element.current.style.height = `${height}px`;
  }, [height]);
  return <div ref={element} aria-hidden="true" />;
}

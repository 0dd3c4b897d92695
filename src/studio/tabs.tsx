import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

/** A part of which one at a time is shown. */
interface Tab {
  readonly title: string;
  /** Shown next to the title. */
  readonly count?: number | undefined;
  readonly content: () => ComponentChildren;
}

/** Returns the place that a key leads to, undefined if it leads nowhere. */
export function nextPlace(key: string, at: number, last: number): number | undefined {
  return { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key];
}

/**
 * Parts of which one at a time is shown: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
 *
 * @param first the title of the part that is shown first
 */
export function Tabs({
  label,
  tabs,
  first,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly first: string;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(first);
  const at = Math.max(
    0,
    tabs.findIndex(({ title }) => title === chosen),
  );
  const choose = (next: number) => {
    const place = (next + tabs.length) % tabs.length;
    setChosen(tabs[place]?.title ?? first);
    list.current?.querySelectorAll('button')[place]?.focus();
  };
  return (
    <>
      <div
        ref={list}
        class="tabs"
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => {
          const next = nextPlace(event.key, at, tabs.length - 1);
          if (next === undefined) return;
          event.preventDefault();
          choose(next);
        }}
      >
        {tabs.map(({ title, count }, place) => (
          <button
            key={title}
            type="button"
            role="tab"
            id={`${id}-${place}`}
            aria-selected={place === at}
            aria-controls={`${id}-part`}
            tabIndex={place === at ? 0 : -1}
            onClick={() => setChosen(title)}
          >
            {title} {count !== undefined && <small>{count}</small>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-part`} aria-labelledby={`${id}-${at}`}>
        {tabs[at]?.content()}
      </div>
    </>
  );
}

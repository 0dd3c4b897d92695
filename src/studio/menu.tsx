import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

/**
 * Less usual actions, behind a button. Escape, a click elsewhere and the focus close it. It is a popover, which the style
 * sheet places at its button, so that nothing around it cuts it off.
 */
export function Menu({
  title,
  of,
  children,
}: {
  /** Shown on the button in front of its sign. */
  readonly title?: string;
  /** The object of the actions, for screen readers: `of order 105`. */
  readonly of: string;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  return (
    <div
      class="menu"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        // Without a related target, the window has lost the focus, or a click has: that closes it by itself.
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget))
          list.current?.hidePopover();
      }}
    >
      <button type="button" popovertarget={id} aria-expanded={isOpen}>
        {title !== undefined && `${title} `}
        <span aria-hidden="true">▾</span>
        <span class="unseen">{title === undefined ? `More ${of}` : of}</span>
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && children}
      </div>
    </div>
  );
}

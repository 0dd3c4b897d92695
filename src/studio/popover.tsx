import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { rootOf } from './scroller.ts';

interface PopoverProps {
  /** The content of the button. */
  readonly button: ComponentChildren;
  readonly buttonClass?: string | undefined;
  readonly title?: string | undefined;
  /** Of the element that has both. */
  readonly class: string;
  /** Whether it opens without a click: the route asks for it. */
  readonly isAsked?: boolean | undefined;
  readonly children: ComponentChildren;
}

/**
 * A button, and what it opens beside itself. Escape, a click elsewhere and the focus close it. The style sheet places it at
 * its button, within the window, so that nothing around it cuts it off.
 */
export function Popover({
  button,
  buttonClass,
  title,
  isAsked,
  children,
  class: name,
}: PopoverProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsked !== true) return;
    opener.current?.focus();
    opener.current?.click();
  }, [isAsked]);
  return (
    <span
      class={name}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        // Without a related target, the window has lost the focus, or a click has: that closes it by itself.
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget))
          list.current?.hidePopover();
      }}
    >
      <button
        ref={opener}
        type="button"
        class={buttonClass}
        title={title}
        popovertarget={id}
        aria-expanded={isOpen}
      >
        {button}
      </button>
      <div
        ref={list}
        id={id}
        class="opened"
        popover="auto"
        onBeforeToggle={({ newState, currentTarget }) => {
          if (newState === 'open') setOpen(true);
          // A browser gives the focus back by itself, but not in a shadow root.
          else if (currentTarget.contains(rootOf(currentTarget).activeElement))
            opener.current?.focus();
        }}
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
      >
        {isOpen && children}
      </div>
    </span>
  );
}

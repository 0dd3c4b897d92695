import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { listen } from './scroller.ts';

/** Less usual actions, behind a button. Escape, the focus and a click elsewhere close it. */
export function Menu({
  title,
  of,
  children,
}: {
  /** Shown on the button in front of its sign. */
  readonly title?: string;
  /** What the actions are about, for screen readers: `of order 105`. */
  readonly of: string;
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: Event) => {
      // In a panel, the document sees the host of the shadow root only.
      if (!event.composedPath().includes(menu.current ?? document)) setOpen(false);
    };
    return listen(document, ['pointerdown', 'focusin'], close, { capture: true });
  }, [isOpen]);
  return (
    <div
      ref={menu}
      class="menu"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        button.current?.focus();
        setOpen(false);
      }}
    >
      <button ref={button} type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {title !== undefined && `${title} `}
        <span aria-hidden="true">▾</span>
        <span class="unseen">{title === undefined ? `More ${of}` : of}</span>
      </button>
      {isOpen && <div>{children}</div>}
    </div>
  );
}

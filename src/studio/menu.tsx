import type { ComponentChildren } from 'preact';
import { Popover } from './popover.tsx';

/** Less usual actions, behind a button. */
export function Menu({
  title,
  of,
  isAsked,
  children,
}: {
  /** Shown on the button in front of its sign. */
  readonly title?: string;
  /** The object of the actions, for screen readers: `of order 105`. */
  readonly of: string;
  /** Whether it opens without a click. */
  readonly isAsked?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <Popover
      class="menu"
      isAsked={isAsked}
      button={
        <>
          {title !== undefined && `${title} `}
          <span aria-hidden="true">▾</span>
          <span class="unseen">{title === undefined ? `More ${of}` : of}</span>
        </>
      }
    >
      {children}
    </Popover>
  );
}

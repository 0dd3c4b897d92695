import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { useState } from 'preact/hooks';
import { formatValue } from './format.ts';
import { lazyView } from './lazy-view.tsx';
import { preview } from './past.ts';
import { why } from './rooms.ts';
import { toneOf } from './tones.ts';

/** Shows the reasons of an explanation, by its path: `orders/1`, `stock/7`, `transitions/payment/3`, `journal/12`. */
export const Why = lazyView(why);

interface AskProps {
  /** The object of the value, for screen readers: `total of order 105`. */
  readonly of: string;
  readonly tone?: string | undefined;
  /** The value. */
  readonly children: ComponentChildren;
}

/** A value that is a button, which shows why it is so. Reasons are those of now, so a past value has none. */
export function AskButton({
  of,
  tone = '',
  isOpen,
  onClick,
  children,
}: AskProps & {
  readonly isOpen: boolean;
  readonly onClick: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
}) {
  if (preview.value !== undefined) return <span class={tone}>{children}</span>;
  return (
    <button
      type="button"
      class={`ask ${tone}`}
      title="Why?"
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {children}
      <span class="unseen">{` ${of}: why?`}</span>
    </button>
  );
}

/** A value with its reasons below it, once it is asked. */
export function Ask({ path, ...value }: AskProps & { readonly path: string }) {
  const [opener, setOpener] = useState<HTMLElement>();
  const isOpen = opener !== undefined && preview.value === undefined;
  const close = () => {
    setOpener(undefined);
    opener?.focus();
  };
  return (
    <>
      <AskButton
        {...value}
        isOpen={isOpen}
        onClick={({ currentTarget }) => (isOpen ? close() : setOpener(currentTarget))}
      />
      {isOpen && <Why path={path} of={value.of} onClose={close} />}
    </>
  );
}

/** The state of a record, with its reasons once it is asked. */
export function RecordState({
  machine,
  id,
  state,
}: {
  readonly machine: string;
  readonly id: number;
  readonly state: unknown;
}) {
  return (
    <Ask
      path={`transitions/${machine}/${id}`}
      of={`${machine.replace('_', ' ')} ${id}`}
      tone={toneOf(state)}
    >
      {formatValue(state)}
    </Ask>
  );
}

import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { useState } from 'preact/hooks';
import { apiPages } from './api-pages.ts';
import { formatValue } from './format.ts';
import { lazyView } from './lazy-view.tsx';
import { preview } from './past.ts';
import { toneOf } from './tones.ts';

/** Shows the reasons of an explanation, by its path: `transitions/order/3`, `journal/12`. */
export const Why = lazyView(() => apiPages().rooms.why());

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

/** Values of which one at a time is asked, and the reasons of that one. */
export function useAsked() {
  const [{ path, of, opener }, setAsked] = useState<{
    readonly path?: string;
    readonly of?: string;
    readonly opener?: HTMLElement;
  }>({});
  const close = () => {
    setAsked({});
    opener?.focus();
  };
  return {
    ask: (about: string, name: string, value: ComponentChildren, tone?: string) => {
      const isOpen = path === about && of === name;
      return (
        <AskButton
          of={name}
          tone={tone}
          isOpen={isOpen && preview.value === undefined}
          onClick={({ currentTarget }) =>
            isOpen ? close() : setAsked({ path: about, of: name, opener: currentTarget })
          }
        >
          {value}
        </AskButton>
      );
    },
    reasons: path !== undefined && of !== undefined && preview.value === undefined && (
      <Why key={path} path={path} of={of} onClose={close} />
    ),
  };
}

/** A value with its reasons below it, once it is asked. */
export function Ask({ path, of, tone, children }: AskProps & { readonly path: string }) {
  const { ask, reasons } = useAsked();
  return (
    <>
      {ask(path, of, children, tone)}
      {reasons}
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

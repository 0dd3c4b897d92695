import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatValue } from './format.ts';
import { lazyView } from './lazy-view.tsx';
import { toneOf } from './tones.ts';
import { useStudio } from './studio.ts';

/** Shows the reasons of an explanation, by its path: `transitions/order/3`, `journal/12`. */
export const Why = lazyView((studio) => studio.pages.value.views.why());

interface Asked {
  /** Of the explanation: `transitions/order/3`. */
  readonly path: string;
  /** The object of the value, for screen readers: `total of order 105`. */
  readonly of: string;
  /** The record of the line that is asked: `items/7`. */
  readonly about?: string | undefined;
}

/** Values of which one at a time is asked, and the reasons of that one. Reasons are those of now, so a past value has none. */
export function useExplanation() {
  const studio = useStudio();
  const [asked, setAsked] = useState<Asked & { readonly opener: HTMLElement }>();
  const isPast = studio.preview.shown.value !== undefined;
  const close = () => {
    setAsked(undefined);
    asked?.opener.focus();
  };
  const ask = (one: Asked, value: ComponentChildren, tone = '') => {
    if (isPast) return <span class={tone}>{value}</span>;
    const isOpen = asked?.path === one.path && asked.of === one.of;
    return (
      <button
        type="button"
        class={`ask ${tone}`}
        title="Why?"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) =>
          isOpen ? close() : setAsked({ ...one, opener: currentTarget })
        }
      >
        {value}
        <span class="unseen">{` ${one.of}: why?`}</span>
      </button>
    );
  };
  const { path = '', of = '', about } = asked ?? {};
  return {
    ask,
    reasons: asked !== undefined && !isPast && (
      <Why key={path} path={path} of={of} about={about} onClose={close} />
    ),
  };
}

/** A value that is a button, which shows why it is so, with its reasons below it, once it is asked. */
export function ExplainedValue({
  tone,
  children,
  ...asked
}: Asked & { readonly tone?: string | undefined; readonly children: ComponentChildren }) {
  const { ask, reasons } = useExplanation();
  return (
    <>
      {ask(asked, children, tone)}
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
  const studio = useStudio();
  return (
    <ExplainedValue
      path={`transitions/${machine}/${id}`}
      of={`${machine.replace('_', ' ')} ${id}`}
      tone={toneOf(studio, state)}
    >
      {formatValue(state)}
    </ExplainedValue>
  );
}

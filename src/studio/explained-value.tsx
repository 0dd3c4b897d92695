import type { ComponentChildren } from 'preact';
import { formatValue } from './format.ts';
import { lazyView } from './lazy-view.tsx';
import { Popover } from './popover.tsx';
import { toneOf } from './tones.ts';
import { useStudio } from './studio.ts';
import type { WhyProps } from './why/reasons.ts';

/** Shows the reasons of an explanation, by its path: `transitions/order/3`, `journal/12`. */
export const Why = lazyView((studio) => studio.pages.value.views.why());

/** The text of a button that explains a value. @param of the object of the value, for screen readers: `total of order 105` */
export function askedText(value: ComponentChildren, of: string) {
  return (
    <>
      {value}
      <span class="unseen">{` ${of}: why?`}</span>
    </>
  );
}

/** A value that is a button, which shows why it is so beside itself. Reasons are those of now, so a past value has none. */
export function ExplainedValue({
  tone = '',
  children,
  ...asked
}: WhyProps & { readonly tone?: string | undefined; readonly children: ComponentChildren }) {
  const studio = useStudio();
  if (studio.preview.shown.value !== undefined) return <span class={tone}>{children}</span>;
  return (
    <Popover
      class="asks"
      buttonClass={`ask ${tone}`}
      title="Why?"
      button={askedText(children, asked.of)}
    >
      <Why {...asked} />
    </Popover>
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

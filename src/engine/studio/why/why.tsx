import { useEffect, useRef } from 'preact/hooks';
import type { ComponentType } from 'preact';
import type {
  EntryExplanation,
  OrderExplanation,
  StateExplanation,
  StockExplanation,
} from '../../definition/explanation.ts';
import { entryText, orderText, stateText, stockText } from '../../definition/explanation-text.ts';
import { read, revision } from '../store.ts';
import { Button, CopyButton, useAsync } from '../ui.tsx';
import { EntryWhy } from './entry-why.tsx';
import { OrderWhy } from './order-why.tsx';
import type { ReasonsProps } from './reasons.ts';
import { StateWhy, StockWhy } from './record-why.tsx';

export interface WhyProps {
  /** Of the explanation: `orders/1`, `stock/7`, `transitions/payment/3`, `journal/12`. */
  readonly path: string;
  /** The object of the value that is asked: `total of order 105`. */
  readonly of: string;
  /** The record of the line that is asked: `adjustments/7`. */
  readonly about?: string | undefined;
  /** Closes it. Without this, it is a part of its page, and does not take the focus. */
  readonly onClose?: (() => void) | undefined;
}

const kinds = {
  orders: kind<OrderExplanation>(OrderWhy, orderText),
  stock: kind<StockExplanation>(StockWhy, stockText),
  transitions: kind<StateExplanation>(StateWhy, stateText),
  journal: kind<EntryExplanation>(EntryWhy, entryText),
};

/** How explanations of a kind are shown and copied. Only the kind knows their type. */
function kind<Explanation>(
  View: ComponentType<ReasonsProps<Explanation>>,
  text: (explanation: Explanation) => string,
) {
  return {
    view: ({ explanation, about }: ReasonsProps<unknown>) => (
      <View explanation={explanation as Explanation} about={about} />
    ),
    text: (explanation: unknown) => text(explanation as Explanation),
  };
}

/** Why a value is as it is. It has the focus when it opens; Escape closes it. */
export function Why({ path, of, about, onClose }: WhyProps) {
  const explanation = useAsync<unknown>(
    () => read(`GET /_backlot/${path}/why`),
    [path, revision.value],
  );
  const section = useRef<HTMLElement>(null);
  const isLoaded = explanation !== undefined;
  useEffect(() => {
    if (onClose === undefined) return;
    const asked = section.current?.querySelector<HTMLElement>('.asked');
    (asked ?? section.current)?.focus();
  }, [isLoaded, about]);
  const { view: Reasons, text } = kinds[path.split('/')[0] as keyof typeof kinds];
  return (
    <section
      ref={section}
      class="why"
      tabIndex={-1}
      aria-label={`Why: ${of}`}
      aria-busy={!isLoaded}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || onClose === undefined) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div class="row actions">
        {isLoaded && (
          <CopyButton of={`reasons: ${of}`} text={text(explanation)}>
            Copy
          </CopyButton>
        )}
        {onClose !== undefined && (
          <Button kind="quiet" of={`reasons: ${of}`} onClick={onClose}>
            Close
          </Button>
        )}
      </div>
      {isLoaded && <Reasons explanation={explanation} about={about} />}
    </section>
  );
}

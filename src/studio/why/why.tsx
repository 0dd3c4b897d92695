import { useEffect, useRef } from 'preact/hooks';
import type { ComponentType } from 'preact';
import type { StateExplanation } from '../../engine/definition/explanation.ts';
import { stateText } from '../../engine/definition/explanation-text.ts';
import { Button, CopyButton, useAsync } from '../ui.tsx';
import type { ReasonsProps, WhyProps } from './reasons.ts';
import { StateWhy } from './state-why.tsx';
import { useStudio } from '../studio.ts';

/** Returns the view of the reasons of a kind. @param text of an explanation, to copy */
export function kind<Explanation>(
  View: ComponentType<ReasonsProps<Explanation>>,
  text: (explanation: Explanation) => string,
): ComponentType<WhyProps> {
  return (props) => <Reasons {...props} View={View} text={text} />;
}

/** Returns the view of reasons. @param own kinds of an API, by the first part of their paths */
export function whyOf(
  own: Readonly<Record<string, ComponentType<WhyProps>>>,
): ComponentType<WhyProps> {
  const transitions = kind<StateExplanation>(StateWhy, stateText);
  const kinds = new Map(Object.entries({ transitions, ...own }));
  return (props) => {
    const Kind = kinds.get(props.path.split('/')[0] ?? '');
    return Kind === undefined ? null : <Kind {...props} />;
  };
}

interface KindProps<Explanation> extends WhyProps {
  readonly View: ComponentType<ReasonsProps<Explanation>>;
  readonly text: (explanation: Explanation) => string;
}

/** Explains a value. It has the focus when it opens; Escape closes it. */
function Reasons<Explanation>({ path, of, about, onClose, View, text }: KindProps<Explanation>) {
  const studio = useStudio();
  const explanation = useAsync(
    () => studio.client.read<Explanation>(`GET /_backlot/${path}/why`),
    [path, studio.shop.revision.value],
  );
  const section = useRef<HTMLElement>(null);
  const isLoaded = explanation !== undefined;
  useEffect(() => {
    if (onClose === undefined) return;
    const asked = section.current?.querySelector<HTMLElement>('.asked');
    (asked ?? section.current)?.focus();
  }, [isLoaded, about]);
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
        {explanation !== undefined && (
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
      {explanation !== undefined && <View explanation={explanation} about={about} />}
    </section>
  );
}

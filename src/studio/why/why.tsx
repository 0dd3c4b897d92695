import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { StateExplanation } from '../../engine/definition/explanation.ts';
import { stateText } from '../../engine/definition/explanation-text.ts';
import { unfold } from '../scroller.ts';
import { CopyButton, useAsync } from '../ui.tsx';
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

/** Explains a value. What a row unfolds is scrolled into sight. */
function Reasons<Explanation>({ path, of, View, text }: KindProps<Explanation>) {
  const studio = useStudio();
  const explanation = useAsync(
    () => studio.client.read<Explanation>(`GET /_backlot/${path}/why`),
    [path, studio.shop.revision.value],
  );
  const shown = useRef<HTMLElement>(null);
  const isLoaded = explanation !== undefined;
  useEffect(() => {
    if (isLoaded) unfold(shown.current?.closest('.unfolded') ?? null);
  }, [isLoaded]);
  return (
    <section ref={shown} class="why" aria-label={`Why: ${of}`} aria-busy={!isLoaded}>
      {explanation !== undefined && (
        <>
          <div class="row actions">
            <CopyButton of={`reasons: ${of}`} text={text(explanation)}>
              Copy
            </CopyButton>
          </div>
          <View explanation={explanation} />
        </>
      )}
    </section>
  );
}

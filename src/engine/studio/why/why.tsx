import { useEffect, useRef } from 'preact/hooks';
import type { ComponentType } from 'preact';
import type { StateExplanation } from '../../definition/explanation.ts';
import { stateText } from '../../definition/explanation-text.ts';
import { read, revision } from '../store.ts';
import { Button, CopyButton, useAsync } from '../ui.tsx';
import type { ReasonsProps, WhyProps } from './reasons.ts';
import { StateWhy } from './state-why.tsx';

/** How explanations of a kind are shown and copied. Only the kind knows their type. */
export function kind<Explanation>(
  View: ComponentType<ReasonsProps<Explanation>>,
  text: (explanation: Explanation) => string,
) {
  return {
    View: ({ explanation, about }: ReasonsProps<unknown>) => (
      <View explanation={explanation as Explanation} about={about} />
    ),
    text: (explanation: unknown) => text(explanation as Explanation),
  };
}

type Kind = ReturnType<typeof kind>;

/** Returns the view of reasons. @param own kinds of an API, by the first part of their paths */
export function whyOf(own: Readonly<Record<string, Kind>>): ComponentType<WhyProps> {
  const kinds: Readonly<Record<string, Kind>> = {
    transitions: kind<StateExplanation>(StateWhy, stateText),
    ...own,
  };
  return (props) => <Reasons {...props} kinds={kinds} />;
}

/** Why a value is as it is. It has the focus when it opens; Escape closes it. */
function Reasons({
  path,
  of,
  about,
  onClose,
  kinds,
}: WhyProps & { readonly kinds: Readonly<Record<string, Kind>> }) {
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
  const shown = kinds[path.split('/')[0] ?? ''];
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
        {isLoaded && shown && (
          <CopyButton of={`reasons: ${of}`} text={shown.text(explanation)}>
            Copy
          </CopyButton>
        )}
        {onClose !== undefined && (
          <Button kind="quiet" of={`reasons: ${of}`} onClick={onClose}>
            Close
          </Button>
        )}
      </div>
      {isLoaded && shown && <shown.View explanation={explanation} about={about} />}
    </section>
  );
}

import type { PreviewView } from '../../engine/control/endpoints/rules.ts';
import type { SessionsView } from '../../engine/control/endpoints/sessions.ts';
import { useState } from 'preact/hooks';
import { effectKinds } from './effect-kinds.ts';
import { CheckField, Form, SelectField, TextField } from '../form.tsx';
import { operationHeads } from '../openapi.ts';
import { useLive } from '../live.ts';
import { hrefToEntry } from '../route.ts';
import {
  effectOf,
  emptyDraft,
  frequencies,
  frequencyLabels,
  ruleOf,
  scriptConditions,
  stepOf,
  valueOf,
  withColons,
  type RuleDraft,
} from './rule-draft.ts';
import { keptFrequency, type EditedRule } from './rule-edit.ts';
import { messageOf } from '../reply-message.ts';
import { isOfStore } from '../sent-request.ts';
import { useAsync } from '../ui.tsx';
import { useStudio, type Studio } from '../studio.ts';

interface EditorProps {
  /** The values from a link. */
  readonly given: Partial<RuleDraft>;
  /** The rule to replace (default: one is added). */
  readonly edited?: EditedRule | undefined;
  readonly onSaved: () => void;
}

interface PartProps {
  readonly draft: RuleDraft;
  readonly change: (changes: Partial<RuleDraft>) => void;
}

const paths = { fault: '/_backlot/faults', script: '/_backlot/script' };

/** Faults and rules of the script in one editor: when … then …, how often. */
export function RuleEditor({ given, edited, onSaved }: EditorProps) {
  const studio = useStudio();
  const [draft, setDraft] = useState<RuleDraft>({ ...emptyDraft, ...given });
  const part: PartProps = {
    draft,
    change: (changes) => setDraft((old) => ({ ...old, ...changes })),
  };
  const { kind } = effectOf(studio, draft);
  const add = async () => {
    const reply = await (edited === undefined
      ? studio.actions.act(`Added a ${kind}`, `POST ${paths[kind]}`, ruleOf(studio, draft))
      : studio.actions.act(`Changed ${edited.name}`, `PUT ${edited.path}`, ruleOf(studio, draft)));
    if (reply === undefined) return;
    setDraft({ ...emptyDraft, effect: draft.effect });
    onSaved();
  };
  return (
    <Form
      label={edited === undefined ? `Add a ${kind}` : `Edit ${edited.name}`}
      submit={edited === undefined ? `Add ${kind}` : `Save ${kind}`}
      kind="primary"
      onSubmit={add}
    >
      <Conditions {...part} />
      <EffectFields {...part} />
      {frequencyFields(studio, part)}
      <Preview draft={draft} />
    </Form>
  );
}

/** The properties of the field of a part of a draft. */
function fieldOf(
  { draft, change }: PartProps,
  name: 'endpoint' | 'session' | 'where' | 'order' | 'count',
) {
  return { value: draft[name], onValue: (value: string) => change({ [name]: value }) };
}

function EffectFields({ draft, change }: PartProps) {
  const studio = useStudio();
  const steps = useSteps();
  const { fields, allowsAfter, keepsWrites } = effectOf(studio, draft);
  const kinds = effectKinds(studio).filter(({ kind }) => kind === 'fault' || steps.length > 0);
  return (
    <fieldset>
      <legend>Then</legend>
      <SelectField
        label="Effect"
        isPlain
        class="wide"
        value={draft.effect}
        values={kinds.map(({ name }) => name)}
        titles={Object.fromEntries(kinds.map(({ name, label }) => [name, label]))}
        onValue={(effect) =>
          change({ effect, values: {}, ...keptFrequency(studio, draft, effect) })
        }
      />
      {fields.map(({ name, label, values, hint, isOptional = false }) => {
        const field = {
          label,
          value: valueOf(studio, draft, name),
          onValue: (value: string) => change({ values: { ...draft.values, [name]: value } }),
        };
        return values === undefined ? (
          <TextField key={name} {...field} hint={hint} required={!isOptional} />
        ) : (
          <SelectField key={name} {...field} values={values} />
        );
      })}
      {allowsAfter && (
        <CheckField
          label="after the request has written"
          value={(draft.after || String(keepsWrites)) === 'true'}
          onValue={(after) => change({ after: String(after) })}
        />
      )}
    </fieldset>
  );
}

/** The names of the steps of the API, which rules of the script are about. */
export function useSteps(): readonly string[] {
  const studio = useStudio();
  return useAsync(() => studio.client.loadSteps(), [])?.map(({ name }) => name) ?? [];
}

function Conditions(part: PartProps) {
  const studio = useStudio();
  const { draft, change } = part;
  const { kind, step: only } = effectOf(studio, draft);
  const isFault = kind === 'fault';
  const { hint } = studio.pages.value.rules;
  const steps = useSteps();
  return (
    <fieldset>
      <legend>When</legend>
      {isFault && endpointField(studio, part)}
      {only === undefined && steps.length > 0 && (
        <SelectField
          label="Step"
          value={isFault ? draft.step : stepOf(studio, draft)}
          values={isFault ? ['', ...steps] : steps}
          titles={{ '': 'any' }}
          onValue={(step) => change({ step })}
        />
      )}
      <TextField
        label={isFault ? 'Parameters' : 'Conditions'}
        class="grow"
        hint={isFault ? 'id=3' : hint}
        {...fieldOf(part, isFault ? 'where' : 'order')}
      />
      {isFault && studio.shop.health.value?.may.sessions === true && <SessionField {...part} />}
    </fieldset>
  );
}

/** The name of a session: open ones are offered. */
function SessionField(part: PartProps) {
  const list = useLive<SessionsView>('GET /_backlot/sessions');
  return (
    <>
      <datalist id="sessions">
        {list?.sessions.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField
        label="Session"
        class="short"
        hint="any"
        list="sessions"
        {...fieldOf(part, 'session')}
      />
    </>
  );
}

function endpointField(studio: Studio, part: PartProps) {
  return (
    <>
      <TextField
        label="Endpoint"
        class="wide"
        hint={['every endpoint', studio.pages.value.rules.endpoint].filter(Boolean).join(', or ')}
        list="endpoints"
        {...fieldOf(part, 'endpoint')}
      />
      <datalist id="endpoints">
        {operationHeads(studio.client.openApi.value)
          .filter(({ path }) => isOfStore(path))
          .map(({ id, method, path, summary }) => (
            <option key={id} value={`${method} ${withColons(path)}`} label={summary} />
          ))}
      </datalist>
    </>
  );
}

function frequencyFields(studio: Studio, part: PartProps) {
  const { frequency } = part.draft;
  const isShare = frequency === 'probability';
  return (
    <fieldset>
      <legend>How often</legend>
      <SelectField
        label="How often"
        isPlain
        value={frequency}
        values={frequencies[effectOf(studio, part.draft).kind]}
        titles={frequencyLabels}
        onValue={(chosen) =>
          part.change({ frequency: chosen, count: chosen === 'probability' ? '30' : '1' })
        }
      />
      {frequency !== 'always' && (
        <TextField
          label={isShare ? 'Per cent' : 'Number'}
          isPlain
          inputMode="numeric"
          class="short"
          {...fieldOf(part, 'count')}
        />
      )}
    </fieldset>
  );
}

/** Says while typing which recorded requests the rule would have met, or what is wrong with it. */
function Preview({ draft }: { readonly draft: RuleDraft }) {
  const studio = useStudio();
  const rule = { [effectOf(studio, draft).kind]: ruleOf(studio, draft) };
  const reply = useAsync(
    () => studio.client.call<PreviewView>('POST /_backlot/rules/preview', rule),
    [JSON.stringify(rule)],
    120,
  );
  const isWrong = reply !== undefined && reply.status >= 400;
  const conditions =
    effectOf(studio, draft).kind === 'fault' ? scriptConditions(studio, draft) : [];
  return (
    <p class="preview" role="status">
      {isWrong && <span class="bad">{messageOf(reply)}</span>}
      {isWrong && conditions.length > 0 && ` ${scriptHint(studio, conditions)}`}
      {reply !== undefined && reply.status < 400 && previewText(reply.body)}
    </p>
  );
}

/** Says which effects have conditions that faults do not have. */
function scriptHint(studio: Studio, conditions: readonly string[]): string {
  const effects = effectKinds(studio).filter(({ kind }) => kind === 'script');
  const labels = effects.map(({ label }) => `“${label}”`).join(' or ');
  return `The effect ${labels} has the condition ${conditions.join(', ')}.`;
}

function previewText({ matched, of, entries }: PreviewView) {
  if (of === 0) return <span class="soft">No requests are recorded yet.</span>;
  return (
    <>
      Would have met <b>{matched}</b> of the last {of}
      {entries.length > 0 && ': '}
      {entries
        .slice(-5)
        .toReversed()
        .map((id, at) => (
          <span key={id}>
            {at > 0 && ', '}
            <a href={hrefToEntry(id)}>#{id}</a>
          </span>
        ))}
      {entries.length > 5 && ', …'}
    </>
  );
}

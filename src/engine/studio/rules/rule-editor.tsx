import { useState } from 'preact/hooks';
import { apiPages } from '../api-pages.ts';
import { effectKinds } from './effect-kinds.ts';
import { CheckField, Form, SelectField, TextField } from '../form.tsx';
import { call, loadSteps, openApi } from '../calls.ts';
import { operationHeads } from '../openapi.ts';
import { useLive } from '../live.ts';
import { hrefToEntry } from '../route.ts';
import {
  effectOf,
  frequencies,
  frequencyLabels,
  newDraft,
  ruleOf,
  stepOf,
  valueOf,
  withColons,
  type RuleDraft,
} from './rule-draft.ts';
import { keptFrequency, type EditedRule } from './rule-edit.ts';
import { messageOf } from '../reply-message.ts';
import { isOfStore } from '../sent-request.ts';
import type { PreviewView } from '../../control/endpoints/rules.ts';
import type { SessionsView } from '../../control/endpoints/sessions.ts';
import { act, health } from '../store.ts';
import { useAsync } from '../ui.tsx';

interface EditorProps {
  /** What a link fills in. */
  readonly given: Partial<RuleDraft>;
  /** The rule to replace (default: one is added). */
  readonly edited?: EditedRule | undefined;
  readonly onSaved: () => void;
}

type Change = (changes: Partial<RuleDraft>) => void;
interface PartProps {
  readonly draft: RuleDraft;
  readonly change: Change;
}

/** Faults and rules of the script in one editor: when … then …, how often. */
export function RuleEditor({ given, edited, onSaved }: EditorProps) {
  const [draft, setDraft] = useState(() => newDraft(given));
  const change: Change = (changes) => setDraft((old) => ({ ...old, ...changes }));
  const add = async () => {
    const { fault, script } = ruleOf(draft);
    const kind = fault === undefined ? 'script' : 'faults';
    const reply = await (edited === undefined
      ? act('Added a rule', `POST /_backlot/${kind}`, fault ?? script)
      : act(`Changed ${edited.name}`, `PUT ${edited.path}`, fault ?? script));
    if (reply === undefined) return;
    setDraft(newDraft({ effect: draft.effect }));
    onSaved();
  };
  return (
    <Form
      label={edited === undefined ? 'Add a rule' : `Edit ${edited.name}`}
      submit={edited === undefined ? 'Add rule' : 'Save rule'}
      kind="primary"
      onSubmit={add}
    >
      <Conditions draft={draft} change={change} />
      <EffectFields draft={draft} change={change} />
      <Frequency draft={draft} change={change} />
      <Preview draft={draft} />
    </Form>
  );
}

function EffectFields({ draft, change }: PartProps) {
  const { fields, allowsAfter } = effectOf(draft);
  const titles = Object.fromEntries(effectKinds.value.map(({ name, label }) => [name, label]));
  return (
    <fieldset>
      <legend>Then</legend>
      <SelectField
        label="Effect"
        isPlain
        class="wide"
        value={draft.effect}
        values={effectKinds.value.map(({ name }) => name)}
        titles={titles}
        onValue={(effect) => change({ effect, values: {}, ...keptFrequency(draft, effect) })}
      />
      {fields.map(({ name, label, values, hint, isOptional = false }) => {
        const field = {
          label,
          value: valueOf(draft, name),
          onValue: (value: string) => change({ values: { ...draft.values, [name]: value } }),
        };
        return values === undefined ? (
          <TextField key={name} {...field} hint={hint} isRequired={!isOptional} />
        ) : (
          <SelectField key={name} {...field} values={values} />
        );
      })}
      {allowsAfter && (
        <CheckField
          label="after the request has written"
          value={draft.after}
          onValue={(after) => change({ after })}
        />
      )}
    </fieldset>
  );
}

function Conditions({ draft, change }: PartProps) {
  const { kind, step: only } = effectOf(draft);
  const isFault = kind === 'fault';
  const { hint } = apiPages().rules;
  const rows = useAsync(loadSteps, []);
  const steps = (rows ?? []).map(({ name }) => name);
  return (
    <fieldset>
      <legend>When</legend>
      {isFault && <EndpointField draft={draft} change={change} />}
      {only === undefined && (
        <SelectField
          label="Step"
          value={isFault ? draft.step : stepOf(draft)}
          values={isFault ? ['', ...steps] : steps}
          titles={{ '': 'any' }}
          onValue={(step) => change({ step })}
        />
      )}
      <TextField
        label={isFault ? 'Parameters' : 'Order'}
        class="grow"
        hint={isFault ? 'order_id=3 quantity=2' : hint}
        value={draft.where}
        onValue={(where) => change({ where })}
      />
      {isFault && health.value?.may.sessions === true && <SessionNames />}
      {isFault && health.value?.may.sessions === true && (
        <TextField
          label="Session"
          class="short"
          hint="any"
          list="sessions"
          value={draft.session}
          onValue={(session) => change({ session })}
        />
      )}
    </fieldset>
  );
}

/** The open sessions, for the field that names one. */
function SessionNames() {
  const list = useLive<SessionsView>('GET /_backlot/sessions');
  return (
    <datalist id="sessions">
      {list?.sessions.map(({ name }) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

function EndpointField({ draft, change }: PartProps) {
  const heads = openApi.value === undefined ? [] : operationHeads(openApi.value);
  return (
    <>
      <TextField
        label="Endpoint"
        class="wide"
        hint={['every endpoint', apiPages().rules.endpoint].join(', or ')}
        list="endpoints"
        value={draft.endpoint}
        onValue={(endpoint) => change({ endpoint })}
      />
      <datalist id="endpoints">
        {heads
          .filter(({ path }) => isOfStore(path))
          .map(({ id, method, path, summary }) => (
            <option key={id} value={`${method} ${withColons(path)}`} label={summary} />
          ))}
      </datalist>
    </>
  );
}

function Frequency({ draft, change }: PartProps) {
  return (
    <fieldset>
      <legend>How often</legend>
      <SelectField
        label="How often"
        isPlain
        value={draft.frequency}
        values={frequencies[effectOf(draft).kind]}
        titles={frequencyLabels}
        onValue={(frequency) =>
          change({ frequency, count: frequency === 'probability' ? '30' : '1' })
        }
      />
      {draft.frequency !== 'always' && (
        <TextField
          label={draft.frequency === 'probability' ? 'Per cent' : 'Number'}
          isPlain
          isNumber
          class="short"
          value={draft.count}
          onValue={(count) => change({ count })}
        />
      )}
    </fieldset>
  );
}

/** Says while typing which recorded requests the rule would have met, or what is wrong with it. */
function Preview({ draft }: { readonly draft: RuleDraft }) {
  const rule = ruleOf(draft);
  const reply = useAsync(
    () => call<PreviewView>('POST /_backlot/rules/preview', rule),
    [JSON.stringify(rule)],
    120,
  );
  return (
    <p class="preview" role="status">
      {reply !== undefined && reply.status >= 400 && <span class="bad">{messageOf(reply)}</span>}
      {reply !== undefined && reply.status < 400 && <PreviewText {...reply.body} />}
    </p>
  );
}

function PreviewText({ matched, of, entries }: PreviewView) {
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

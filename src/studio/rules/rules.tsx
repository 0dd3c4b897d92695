import { useState } from 'preact/hooks';
import { draftOf, type EditedRule } from './rule-edit.ts';
import { ruleText, type ListedRule } from './rule-text.ts';
import { RuleEditor, useSteps } from './rule-editor.tsx';
import type { WeatherView } from '../../engine/control/endpoints/weather.ts';
import { SelectField } from '../form.tsx';
import { Button, Empty, useAsync, WriteButtons } from '../ui.tsx';
import { useLive } from '../live.ts';
import { hrefTo } from '../route.ts';
import { unfold } from '../scroller.ts';
import { useStudio, type Studio } from '../studio.ts';

/** Faults and the script: `#/rules?endpoint=PUT /api/users/:id&effect=delay`. */
export function Rules() {
  const studio = useStudio();
  useAsync(() => studio.client.loadOpenApi(), []);
  const { query } = studio.router.route.value;
  const hasSteps = useSteps().length > 0;
  const [edited, setEdited] = useState<EditedRule>();
  if (studio.client.openApi.value === undefined) return <Empty>Loading the document…</Empty>;
  return (
    <div class="pair">
      <section key={edited?.path} ref={edited ? unfold : null} class="card">
        {edited === undefined && query.size === 0 ? (
          <Starters />
        ) : (
          <>
            <h1>{edited === undefined ? 'Add a fault' : `Edit ${edited.name}`}</h1>
            <RuleEditor
              key={query.toString()}
              given={edited?.draft ?? Object.fromEntries(query)}
              edited={edited}
              onSaved={() => setEdited(undefined)}
            />
          </>
        )}
      </section>
      <div class="stack">
        <Weather />
        <RuleList kind="faults" title="Faults" one="fault" onEdit={setEdited} />
        {hasSteps && <RuleList kind="script" title="Script" one="script" onEdit={setEdited} />}
      </div>
    </div>
  );
}

const starters = [
  { title: 'Slow down every request by 2 s', query: 'effect=delay' },
  { title: 'Answer every request with 503', query: 'effect=status' },
  { title: 'Fail one request in ten', query: 'effect=status&frequency=probability&count=10' },
];

/** Rules to begin with. That of a request or of an operation begins there. */
function Starters() {
  const { rules } = useStudio().pages.value;
  return (
    <>
      <h1>Add a fault</h1>
      <ul class="list">
        {[...rules.starters, ...starters].map(({ title, query }) => (
          <li key={title}>
            <a href={`${hrefTo('rules')}?${query}`}>{title}</a>
          </li>
        ))}
      </ul>
      <p class="soft">
        “Break it” of a request in <a href={hrefTo('activity')}>Activity</a>, or of an operation in{' '}
        <a href={hrefTo('docs')}>Docs</a>, begins with its endpoint.
      </p>
    </>
  );
}

/** Named faults: those that are on, and others to choose. */
function Weather() {
  const studio = useStudio();
  const view = useLive<WeatherView>('GET /_backlot/weather');
  if (view === undefined) return null;
  const { weather, text, choices } = view;
  return (
    <section class="card">
      <h2>Weather</h2>
      <div class="row">
        <SelectField
          label="Weather"
          isPlain
          value={weather}
          values={choices.map(({ name }) => name)}
          onValue={(name) =>
            void studio.actions.act(`Weather: ${name}`, 'PUT /_backlot/weather', { weather: name })
          }
        />
        <span class={`grow ${weather === 'good' ? 'soft' : 'warn'}`}>{`${text}.`}</span>
      </div>
    </section>
  );
}

function RuleList({
  kind,
  title,
  one,
  onEdit,
}: {
  readonly kind: 'faults' | 'script';
  readonly title: string;
  readonly one: string;
  readonly onEdit: (rule: EditedRule) => void;
}) {
  const studio = useStudio();
  const path = `/_backlot/${kind}`;
  const rules = useLive<readonly ListedRule[]>(`GET ${path}`);
  return (
    <section class="card">
      <h2>{title}</h2>
      {rules?.length === 0 && <Empty>None.</Empty>}
      <ol class="list">
        {rules?.map((rule, at) =>
          ruleItem(studio, rule, at === 0, `${path}/${rule.id}`, `${one} ${rule.id}`, onEdit),
        )}
      </ol>
    </section>
  );
}

function ruleItem(
  studio: Studio,
  rule: ListedRule,
  isFirst: boolean,
  path: string,
  name: string,
  onEdit: (rule: EditedRule) => void,
) {
  const { when, effect, often } = ruleText(studio, rule);
  const { id: _, matched, window: __, released: ___, off, ...own } = rule;
  const draft = draftOf(studio, rule);
  return (
    <li key={rule.id} class="row">
      <span class="grow">
        <b class="soft">{rule.id}</b> <code>{when}</code> <span class="soft">→</span>{' '}
        <b>{effect}</b>{' '}
        <span class="soft">
          {often === '' ? '' : `${often}, `}
          {off === true ? 'off' : matched === 0 ? 'not met yet' : `met ${matched} ×`}
        </span>
      </span>
      <span class="row">
        {!isFirst && (
          <Button
            of={name}
            title="Try it before the one above it"
            onClick={() => studio.actions.act(`${name} is tried earlier`, `POST ${path}/earlier`)}
          >
            <span aria-hidden="true">↑ </span>Earlier
          </Button>
        )}
        {draft !== undefined && (
          <Button of={name} onClick={() => onEdit({ path, name, draft })}>
            Edit
          </Button>
        )}
        <WriteButtons
          of={name}
          writes={[
            off === true
              ? ['Switch on', `Switched ${name} on`, `PUT ${path}`, own]
              : ['Switch off', `Switched ${name} off`, `PUT ${path}`, { ...own, off: true }],
            ['Delete', `Deleted ${name}`, `DELETE ${path}`],
          ]}
        />
      </span>
    </li>
  );
}

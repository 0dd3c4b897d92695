import { useEffect } from 'preact/hooks';
import { singularOf } from '../format.ts';
import { loadOpenApi } from '../interface.ts';
import { route } from '../route.ts';
import { ruleText, type ListedRule } from '../rule-text.ts';
import { RuleEditor } from '../rule-editor.tsx';
import type { Source } from '../source.ts';
import { act } from '../store.ts';
import { Button, Empty, Time, type RoomProps } from '../ui.tsx';
import { useLive } from '../live.ts';

interface Held {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly since: string;
}

/** Faults and the script: `#/rules?endpoint=PUT /api/checkouts/:order_id&effect=delay`. */
export function Rules({ source }: RoomProps) {
  useEffect(() => void loadOpenApi(source), [source]);
  const { query } = route.value;
  return (
    <div class="pair">
      <section class="card">
        <h1>Add a rule</h1>
        <RuleEditor key={query.toString()} source={source} given={Object.fromEntries(query)} />
      </section>
      <div class="stack">
        <RuleList source={source} kind="faults" title="Faults" one="fault" />
        <RuleList source={source} kind="script" title="Script" one="script_rule" />
        <HeldResponses source={source} />
      </div>
    </div>
  );
}

function RuleList({
  source,
  kind,
  title,
  one,
}: RoomProps & {
  readonly kind: 'faults' | 'script';
  readonly title: string;
  readonly one: string;
}) {
  const path = `/_backlot/${kind}`;
  const rules = useLive<readonly ListedRule[]>(source, `GET ${path}`);
  const name = singularOf(one);
  const remove = (id: number) => act(`Deleted ${name} ${id}`, `DELETE ${path}/${id}`);
  return (
    <section class="card">
      <h2>{title}</h2>
      {rules?.length === 0 && <Empty>No rules.</Empty>}
      <ol class="list">
        {rules?.map((rule) => (
          <RuleItem key={rule.id} rule={rule} name={name} onDelete={() => remove(rule.id)} />
        ))}
      </ol>
    </section>
  );
}

function RuleItem({
  rule,
  name,
  onDelete,
}: {
  readonly rule: ListedRule;
  readonly name: string;
  readonly onDelete: () => unknown;
}) {
  const { when, effect, often } = ruleText(rule);
  return (
    <li class="row">
      <span class="grow">
        <b class="soft">{rule.id}</b> <code>{when}</code> <span class="soft">→</span>{' '}
        <b>{effect}</b>{' '}
        <span class="soft">
          {often === '' ? '' : `${often}, `}
          {rule.matched === 0 ? 'not met yet' : `met ${rule.matched} ×`}
        </span>
      </span>
      <Button of={`${name} ${rule.id}`} onClick={onDelete}>
        Delete
      </Button>
    </li>
  );
}

function HeldResponses({ source }: { readonly source: Source }) {
  const holds = useLive<readonly Held[]>(source, 'GET /_backlot/holds');
  const names = [...new Set(holds?.map(({ name }) => name))];
  return (
    <section class="card">
      <h2>Held responses</h2>
      {names.length === 0 && <Empty>None.</Empty>}
      {names.map((name) => (
        <div key={name} class="row">
          <ul class="grow">
            {holds
              ?.filter((one) => one.name === name)
              .map(({ method, url, since }, at) => (
                <li key={at}>
                  <code>
                    {method} {url}
                  </code>{' '}
                  <span class="soft">
                    held as {name} since <Time at={since} />
                  </span>
                </li>
              ))}
          </ul>
          <Button
            kind="primary"
            of={name}
            onClick={() =>
              act(`Released ${name}`, `POST /_backlot/holds/${encodeURIComponent(name)}/release`)
            }
          >
            Release
          </Button>
        </div>
      ))}
    </section>
  );
}

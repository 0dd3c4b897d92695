import type { ComponentChildren } from 'preact';
import type {
  EntryExplanation,
  RefusedField,
  TriedRule,
} from '../../engine/definition/explanation.ts';
import { rulesOfNow } from '../../engine/definition/explanation-text.ts';
import { formatValue } from '../format.ts';
import { hrefTo } from '../route.ts';
import { toneOf } from '../tones.ts';
import { Table, type Column } from '../ui.tsx';
import { Facts } from './facts.tsx';
import type { ReasonsProps } from './reasons.ts';
import { useStudio } from '../studio.ts';

/** Explains the refusal of a request, and which rules applied to it. @param children explanations of what it changed */
export function EntryWhy({
  explanation,
  children,
}: ReasonsProps<EntryExplanation> & { readonly children?: ComponentChildren }) {
  const studio = useStudio();
  const { entry, outcome, reason, refused, faults, script } = explanation;
  const lacking = rulesOfNow(explanation);
  return (
    <>
      <h2>
        {`Why was #${entry} `}
        <span class={toneOf(studio, outcome)}>{outcome}</span>?
      </h2>
      {reason !== undefined && refused.length === 0 && <bdi class="soft">{reason}</bdi>}
      {refused.length > 0 && (
        <div class="refused-fields">
          <Table
            caption="What was rejected"
            columns={columns}
            rows={refused}
            keyOf={({ path, message }) => `${path.join('.')} ${message}`}
          />
        </div>
      )}
      {children}
      {lacking !== undefined && <p class="soft">{lacking}</p>}
      {tried('fault', 'Faults', faults)}
      {tried('script', 'Script', script)}
    </>
  );
}

const columns: readonly Column<RefusedField>[] = [
  {
    title: 'Field',
    cell: ({ path }) =>
      path.length === 0 ? <span class="soft">the whole</span> : <code>{path.join('.')}</code>,
  },
  {
    title: 'Sent',
    cell: ({ path, sent }) =>
      path.length > 0 && (
        <span class="fact bad">{sent === undefined ? 'nothing' : formatValue(sent)}</span>
      ),
  },
  {
    title: 'Rule',
    cell: ({ rule, spec, message }) => {
      const [, operation] = /: (\w+)$/.exec(spec) ?? [];
      return (
        <>
          {operation === undefined ? rule : <a href={hrefTo('docs', operation)}>{rule}</a>}
          <bdi class="soft">{message}</bdi>
        </>
      );
    },
  },
  {
    title: 'Would be accepted',
    cell: ({ accepts, example, omit }) => (
      <>
        {example !== undefined && <span class="fact ok">{formatValue(example)}</span>}{' '}
        <span class="soft">{accepts}</span>
        {omit === true && <span class="soft">, or leave it out</span>}
      </>
    ),
  },
];

function tried(name: string, title: string, rules: readonly TriedRule[]) {
  if (rules.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="falls" aria-label={title}>
        {rules.map(({ rule, applied, because }) => (
          <li key={rule}>
            <div>
              <a href={hrefTo('rules')}>{`${name} ${rule}`}</a>
              {applied ? <b class="ok"> applied</b> : <span class="soft"> did not apply</span>}
              <Facts facts={because} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

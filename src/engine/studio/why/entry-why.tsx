import type { EntryExplanation, RefusedField, TriedRule } from '../../definition/explanation.ts';
import { formatMoney, formatValue } from '../format.ts';
import { hrefTo } from '../route.ts';
import { toneOf } from '../tones.ts';
import { Disclosure } from '../ui.tsx';
import { Facts } from './facts.tsx';
import { Waterfall } from './order-why.tsx';
import type { ReasonsProps } from './reasons.ts';

/** Why a request was refused, and why each rule applied to it or not. */
export function EntryWhy({ explanation }: ReasonsProps<EntryExplanation>) {
  const { entry, outcome, reason, refused, faults, script, orders } = explanation;
  return (
    <>
      <h2>
        {`Why was #${entry} `}
        <span class={toneOf(outcome)}>{outcome}</span>?
      </h2>
      {reason !== undefined && refused.length === 0 && <bdi class="soft">{reason}</bdi>}
      {refused.length > 0 && (
        <ul class="falls" aria-label="What was refused">
          {refused.map((field, at) => (
            <Refused key={at} field={field} />
          ))}
        </ul>
      )}
      {orders.map((order) => (
        <Disclosure
          key={order.order}
          title={`Order ${order.order} had ${formatMoney(order.total, order.currency)} after it`}
        >
          <Waterfall explanation={order} />
        </Disclosure>
      ))}
      <Tried name="fault" title="Faults" rules={faults} />
      <Tried name="script rule" title="Rules of the script" rules={script} />
    </>
  );
}

function Refused({ field }: { readonly field: RefusedField }) {
  const { path, message, sent, rule, accepts, example, omit, spec } = field;
  const [, operation] = /: (\w+)$/.exec(spec) ?? [];
  const facts = [
    ...(path.length === 0 ? [] : [['sent', sent === undefined ? 'nothing' : formatValue(sent)]]),
    ['rule', rule],
    ['accepts', accepts],
    ...(example === undefined ? [] : [['for example', formatValue(example)]]),
    ...(omit === true ? [['or', 'left out']] : []),
  ];
  return (
    <li>
      <div>
        {path.length > 0 && (
          <>
            <code>{path.join('.')}</code>{' '}
          </>
        )}
        <bdi class="bad">{message}</bdi>
        <dl class="said">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          {operation !== undefined && (
            <div>
              <dt>specification</dt>
              <dd>
                <a href={hrefTo('docs', operation)}>{operation}</a>
              </dd>
            </div>
          )}
        </dl>
      </div>
    </li>
  );
}

function Tried({
  name,
  title,
  rules,
}: {
  readonly name: string;
  readonly title: string;
  readonly rules: readonly TriedRule[];
}) {
  return (
    <>
      <h3>{title}</h3>
      {rules.length === 0 && <p class="soft">There are none.</p>}
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

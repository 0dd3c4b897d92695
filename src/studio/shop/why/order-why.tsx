import type { CSSProperties } from 'preact';
import { useState } from 'preact/hooks';
import type { ChangedLine, Line, OrderExplanation } from '../../../shop/explain/explanation.ts';
import { formatMoney } from '../money.ts';
import { addCouponTo } from './add-coupon.tsx';
import { Compared, CompareForm } from './compare.tsx';
import { Facts, recordLink } from '../../why/facts.tsx';
import type { ReasonsProps } from '../../why/reasons.ts';

/** Explains the total of an order: its parts, the rules that did not apply, and the changes since. */
export function OrderWhy({ explanation, about }: ReasonsProps<OrderExplanation>) {
  const { order, total, currency, now } = explanation;
  const [other, setOther] = useState<number>();
  const money = (amount: number) => formatMoney(amount, currency);
  const idle = (now ?? explanation).lines.filter(({ applied }) => !applied);
  return (
    <>
      <div class="head">
        <h2>{`Why ${money(total)}?`}</h2>
        {now === undefined && <span class="soft">It would be the same now.</span>}
        <CompareForm key={order} order={order} onCompare={setOther} />
      </div>
      {other !== undefined && <Compared one={explanation} other={other} />}
      <Waterfall explanation={explanation} about={about} />
      {now !== undefined && (
        <>
          <h3>{`Now it would be ${money(now.total)}`}</h3>
          <ul class="falls" aria-label="What has changed">
            {now.changes.map((change, at) => (
              <li key={at}>{changedLine(change, money)}</li>
            ))}
          </ul>
        </>
      )}
      {idle.length > 0 && (
        <>
          <h3>{`Not applied · ${idle.length}`}</h3>
          <ul class="falls" aria-label="Not applied">
            {idle.map(({ label, because, record, promotion }) => (
              <li key={promotion}>
                {signOf('✗')}
                <div>
                  {recordLink(record, label)}
                  <Facts facts={because} actionOf={addCouponTo(order)} of={label} />
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const signs: Readonly<Record<Line['kind'], string>> = {
  item: '',
  gift: '✦',
  tax: '%',
  shipping: '→',
  promotion: '−',
  adjustment: '±',
  limit: '⊥',
  other: '?',
};

/** The lines of a total. The bar of each begins where the one before it ends. */
export function Waterfall({
  explanation: { order, total, currency, lines: all },
  about,
}: ReasonsProps<OrderExplanation>) {
  const lines = all.filter(({ applied }) => applied);
  const sums = [0, total, ...lines.map(({ running }) => running)];
  const [lowest, highest] = [Math.min(...sums), Math.max(...sums)];
  const scale = 100 / (highest - lowest || 1);
  const placeOf = (from: number, to: number) => ({
    insetInlineStart: `${(Math.min(from, to) - lowest) * scale}%`,
    width: `${Math.abs(to - from) * scale}%`,
  });
  return (
    <ol class="falls" aria-label={`Lines of the total of order ${order}`}>
      {lines.map(({ kind, label, detail, amount, counts, running, record, because }, at) => {
        const isAsked =
          record !== undefined &&
          (about === record.table || about === `${record.table}/${record.id}`);
        return (
          <li key={at} class={isAsked ? 'asked' : undefined} tabIndex={isAsked ? -1 : undefined}>
            {signOf(signs[kind])}
            <div>
              {recordLink(record, label)}
              {detail !== undefined && detail !== '' && <bdi class="soft detail-of">{detail}</bdi>}
              <Facts facts={because} actionOf={addCouponTo(order)} of={label} />
            </div>
            {barOf(kind, counts ? placeOf(running - amount, running) : undefined)}
            <span class={counts ? 'amount' : 'amount soft'}>
              {counts ? formatMoney(amount, currency) : `(${formatMoney(amount, currency)})`}
              <small class="soft">
                {counts ? (
                  <>
                    <span class="unseen">, so far </span>
                    {formatMoney(running, currency)}
                  </>
                ) : (
                  'does not count'
                )}
              </small>
            </span>
          </li>
        );
      })}
      <li class="total">
        <span class="kind" />
        <div>
          <b>Total</b>
        </div>
        {barOf('total', placeOf(0, total))}
        <b class="amount">{formatMoney(total, currency)}</b>
      </li>
    </ol>
  );
}

function barOf(kind: string, place: CSSProperties | undefined) {
  return (
    <span class="bar" aria-hidden="true">
      {place !== undefined && <i class={kind} style={place} />}
    </span>
  );
}

function signOf(sign: string) {
  return (
    <span class="kind" aria-hidden="true">
      {sign}
    </span>
  );
}

function changedLine(
  { kind, label, was, now, because }: ChangedLine,
  money: (amount: number) => string,
) {
  return (
    <>
      {signOf(signs[kind])}
      <div>
        <bdi>{label}</bdi>
        <Facts facts={because} of={label} />
      </div>
      <span class="amount">
        <del>{was === undefined ? 'none' : money(was)}</del>
        <span aria-hidden="true"> → </span>
        <span class="unseen"> to </span>
        <ins>{now === undefined ? 'none' : money(now)}</ins>
      </span>
    </>
  );
}

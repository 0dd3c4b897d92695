import type { ComponentChildren, CSSProperties } from 'preact';
import type { Line, OrderExplanation } from '../../../shop/office/explanation.ts';
import { formatMoney } from '../money.ts';
import { addCouponTo } from './add-coupon.tsx';
import { Compared, CompareForm, useComparison } from './compare.tsx';
import { Disclosure } from '../../ui.tsx';
import { Facts, recordLink } from '../../why/facts.tsx';
import type { ReasonsProps } from '../../why/reasons.ts';
import { useStudio } from '../../studio.ts';

/**
 * Explains the total of an order: its lines and what did not apply, or in their place, its comparison with another total.
 *
 * @param children the heading (default: the total)
 */
export function OrderWhy({
  explanation,
  children,
}: ReasonsProps<OrderExplanation> & { readonly children?: ComponentChildren }) {
  const studio = useStudio();
  const { order, total, currency, now } = explanation;
  const comparison = useComparison(explanation);
  // What is possible is so now.
  if (studio.preview.shown.value !== undefined)
    return (
      <>
        <div class="head">{children}</div>
        <Waterfall explanation={explanation} />
      </>
    );
  const idle = (now ?? explanation).lines.filter(({ applied }) => !applied);
  return (
    <>
      <div class="head">
        {children ?? <h2>{`Order ${order}: ${formatMoney(total, currency)}`}</h2>}
        <CompareForm explanation={explanation} {...comparison} />
      </div>
      {comparison.other === undefined ? (
        <>
          <Waterfall explanation={explanation} />
          {idle.length > 0 && (
            <Disclosure title={`${idle.length} did not apply`}>
              <ul class="falls" aria-label="Did not apply">
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
            </Disclosure>
          )}
        </>
      ) : (
        <Compared one={explanation} other={comparison.other} />
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
      {lines.map(({ kind, label, detail, amount, counts, running, record, because }, at) => (
        <li key={at}>
          {signOf(signs[kind])}
          <div>
            {recordLink(record, label)}
            {detail !== undefined && detail !== '' && <bdi class="soft detail-of">{detail}</bdi>}
            <Facts facts={because} of={label} />
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
                'included'
              )}
            </small>
          </span>
        </li>
      ))}
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

import type { ComponentChildren } from 'preact';
import type { Fact, RecordRef } from '../../definition/explanation.ts';
import { hrefTo } from '../route.ts';
import { act } from '../store.ts';
import { Button } from '../ui.tsx';

interface FactsProps {
  readonly facts: readonly Fact[];
  /** The cart that can have the coupon of a fact. */
  readonly order?: number | undefined;
  /** What the facts decide, for screen readers. */
  readonly of?: string;
}

/** The conditions that decided something, each with what was there, and with what would meet it. */
export function Facts({ facts, order, of = '' }: FactsProps) {
  if (facts.length === 0) return null;
  return (
    <ul class="reasons">
      {facts.map(({ wanted, actual, met, record, at, coupon }, place) => (
        <li key={place}>
          <span class={met ? 'fact ok' : 'fact bad'}>
            <span aria-hidden="true">{met ? '✓' : '✗'} </span>
            <span class="unseen">{met ? 'met: ' : 'not met: '}</span>
            <bdi>{wanted}</bdi>
            {actual !== wanted && (
              <>
                {': '}
                <RecordLink record={record}>{actual}</RecordLink>
              </>
            )}
          </span>
          {at !== undefined && (
            <Button of={`${of}: ${wanted}`} title={at} onClick={() => goTo(at)}>
              Go there
            </Button>
          )}
          {coupon !== undefined && order !== undefined && (
            <Button of={`to order ${order}`} onClick={() => addCoupon(order, coupon)}>
              {`Add ${coupon}`}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function goTo(at: string) {
  return act(`Clock to ${at.slice(0, 19).replace('T', ' ')}`, 'PUT /_backlot/clock', { now: at });
}

function addCoupon(order: number, coupon: string) {
  const line = `POST /_backlot/orders/${order}/coupons`;
  return act(`Added ${coupon} to order ${order}`, line, { coupon });
}

/** Links a text to its record, if it has one. */
export function RecordLink({
  record,
  children,
}: {
  readonly record: RecordRef | undefined;
  readonly children: ComponentChildren;
}) {
  if (record === undefined) return <bdi>{children}</bdi>;
  return (
    <a href={hrefTo('data', record.table, record.id)}>
      <bdi>{children}</bdi>
    </a>
  );
}

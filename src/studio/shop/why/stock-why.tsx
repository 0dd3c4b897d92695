import { Fragment } from 'preact';
import type { OrderUnits, StockExplanation, StockLine } from '../../../shop/office/explanation.ts';
import { beforeText } from '../../../shop/explain/explanation-text.ts';
import { LostChanges } from '../../lost-changes.tsx';
import { hrefTo } from '../../route.ts';
import type { ReasonsProps } from '../../why/reasons.ts';
import { causeOf } from '../../why/state-why.tsx';

/** Explains the stock of a variant: for each location, the orders that hold it, and the entries that changed it. */
export function StockWhy({
  explanation: { variant, label, changesFrom, lines, backordered },
}: ReasonsProps<StockExplanation>) {
  return (
    <>
      <h2>
        {`Why this stock of variant ${variant}, `}
        <bdi>{label}</bdi>?
      </h2>
      <LostChanges changesFrom={changesFrom} />
      {lines.map((line) => locationOf(line, changesFrom))}
      {backordered.length > 0 && (
        <p>
          {'Waits for stock: '}
          {unitsOf(backordered)}
        </p>
      )}
    </>
  );
}

function locationOf(line: StockLine, changesFrom: number) {
  const { label, enabled, on_hand: onHand, on_hold: onHold, held, began, moves } = line;
  return (
    <Fragment key={line.stock_location}>
      <h3>
        <bdi>{label}</bdi>
        {`: ${levels(onHand, onHold)}`}
        {!enabled && <span class="warn">, not sold from there</span>}
      </h3>
      {held.length > 0 && (
        <p>
          {'On hold: '}
          {unitsOf(held)}
        </p>
      )}
      <ol class="falls" aria-label={`What moved the stock at ${label}`}>
        <li>
          <div class="soft">
            {changesFrom === 1 ? 'before the history' : beforeText(changesFrom)}
          </div>
          <span class="amount">{levels(began.on_hand, began.on_hold)}</span>
        </li>
        {moves.map((move, at) => (
          <li key={at}>
            <div>
              {causeOf(move)}
              {move.units.length > 0 && <span class="soft detail-of">{unitsOf(move.units)}</span>}
            </div>
            <span class="amount">{levels(signed(move.on_hand), signed(move.on_hold))}</span>
          </li>
        ))}
      </ol>
    </Fragment>
  );
}

function unitsOf(units: readonly (OrderUnits & { transition?: string })[]) {
  return units.map(({ order, units: count, transition }, at) => (
    <span key={at}>
      {at > 0 && ', '}
      {`${transition === undefined ? '' : `${transition} `}${count} of `}
      <a href={hrefTo('orders', order)}>{`order ${order}`}</a>
    </span>
  ));
}

function levels(onHand: number | string, onHold: number | string): string {
  return `${onHand} on hand, ${onHold} on hold`;
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count);
}

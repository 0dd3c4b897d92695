import type { OrderUnits, StockExplanation, StockLine } from '../../explain/explanation.ts';
import { hrefTo } from '../../../engine/studio/route.ts';
import type { ReasonsProps } from '../../../engine/studio/why/reasons.ts';
import { Cause } from '../../../engine/studio/why/state-why.tsx';

/** Why a variant has its stock: for each location, who holds it, and what moved it. */
export function StockWhy({
  explanation: { variant, label, lines, backordered },
}: ReasonsProps<StockExplanation>) {
  return (
    <>
      <h2>
        {`Why this stock of variant ${variant}, `}
        <bdi>{label}</bdi>?
      </h2>
      {lines.map((line) => (
        <Location key={line.stock_location} line={line} />
      ))}
      {backordered.length > 0 && (
        <p>
          {'Waits for stock: '}
          <Units units={backordered} />
        </p>
      )}
    </>
  );
}

function Location({ line }: { readonly line: StockLine }) {
  const { label, enabled, on_hand: onHand, on_hold: onHold, held, began, moves } = line;
  return (
    <>
      <h3>
        <bdi>{label}</bdi>
        {`: ${levels(onHand, onHold)}`}
        {!enabled && <span class="warn">, not sold from there</span>}
      </h3>
      {held.length > 0 && (
        <p>
          {'On hold: '}
          <Units units={held} />
        </p>
      )}
      <ol class="falls" aria-label={`What moved the stock at ${label}`}>
        <li>
          <div class="soft">before the history</div>
          <span class="amount">{levels(began.on_hand, began.on_hold)}</span>
        </li>
        {moves.map((move, at) => (
          <li key={at}>
            <div>
              <Cause entry={move.entry} title={move.title} />
              {move.units.length > 0 && (
                <span class="soft detail-of">
                  <Units units={move.units} />
                </span>
              )}
            </div>
            <span class="amount">{levels(signed(move.on_hand), signed(move.on_hold))}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Units({ units }: { readonly units: readonly (OrderUnits & { transition?: string })[] }) {
  return (
    <>
      {units.map(({ order, units: count, transition }, at) => (
        <span key={at}>
          {at > 0 && ', '}
          {`${transition === undefined ? '' : `${transition} `}${count} of `}
          <a href={hrefTo('orders', order)}>{`order ${order}`}</a>
        </span>
      ))}
    </>
  );
}

function levels(onHand: number | string, onHold: number | string): string {
  return `${onHand} on hand, ${onHold} on hold`;
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count);
}

import type {
  OrderUnits,
  StateExplanation,
  StateMove,
  StockExplanation,
  StockLine,
} from '../../definition/explanation.ts';
import { hrefTo, hrefToEntry } from '../route.ts';
import { toneOf } from '../tones.ts';
import { Facts } from './facts.tsx';
import type { ReasonsProps } from './reasons.ts';

/** Why a record is in its state: the way there, and what is possible next. */
export function StateWhy({
  explanation: { machine, id, state, moves, next },
}: ReasonsProps<StateExplanation>) {
  const name = `${machine.replace('_', ' ')} ${id}`;
  return (
    <>
      <h2>
        {`Why is ${name} `}
        <span class={toneOf(state)}>{state}</span>?
      </h2>
      {moves.length === 0 && (
        <p class="soft">The history has no move of it: it began in this state.</p>
      )}
      <ol class="falls" aria-label={`The way of ${name}`}>
        {moves.map((move, at) => (
          <li key={at}>
            <div>
              {`${move.from ?? 'new'} → `}
              <b class={toneOf(move.to)}>{move.to}</b>
              {move.transition !== undefined && ` by ${move.transition}`}
              {', '}
              <Cause entry={move.entry} title={move.title} />
              <After move={move} />
              <Facts facts={move.because} />
            </div>
          </li>
        ))}
      </ol>
      {next.length > 0 && (
        <>
          <h3>What is possible next</h3>
          <ul class="reasons" aria-label={`Possible next of ${name}`}>
            {next.map(({ transition, to, possible, reason }) => (
              <li key={transition}>
                <span class={possible ? 'fact ok' : 'fact bad'}>
                  <span aria-hidden="true">{possible ? '✓' : '✗'} </span>
                  <span class="unseen">{possible ? 'possible: ' : 'not possible: '}</span>
                  {possible ? `${transition} → ${to}` : transition}
                  {reason !== undefined && (
                    <>
                      {': '}
                      <bdi>{reason}</bdi>
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** The entry that made a move. */
function Cause({ entry, title }: { readonly entry: number; readonly title: string }) {
  return (
    <a href={hrefToEntry(entry)}>
      {`#${entry} `}
      <bdi>{title}</bdi>
    </a>
  );
}

function After({ move: { after } }: { readonly move: StateMove }) {
  if (after.length === 0) return null;
  const text = after.map(({ machine, ids, transition, to }) => {
    const name = machine.replace('_', ' ');
    return `${name} ${ids.join(', ')}: ${transition ?? to}`;
  });
  return <span class="soft detail-of">{`after ${text.join('; ')}`}</span>;
}

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

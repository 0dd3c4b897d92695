import type { LatestProps, UpcomingProps } from '../api-pages.ts';
import type { OrdersPage } from '../../shop/control/shop.ts';
import type { UpcomingView } from '../../shop/control/progress.ts';
import { timeTo } from '../duration-text.ts';
import { formatTime } from '../format.ts';
import { hrefTo } from '../route.ts';
import { Button, Empty, Time, useLast, useLoaded } from '../ui.tsx';
import { toneOf } from '../tones.ts';
import { formatMoney } from './money.ts';
import { useStudio } from '../studio.ts';

type Event = UpcomingView[number];

/** Lists the next events of the clock. @param limit maximum number of events (default: unlimited) */
export function Upcoming({ limit = Infinity, children }: UpcomingProps) {
  const studio = useStudio();
  const { body, error } = useLoaded<UpcomingView>('GET /_backlot/upcoming');
  const events = useLast(body);
  const now = studio.preview.clock?.now;
  if (events === undefined) return error === undefined ? null : children;
  return (
    <>
      <section class="card">
        <h2>What comes next</h2>
        {events.length === 0 && <Empty>Nothing: no cart expires and no payment settles.</Empty>}
        <ol class="list">
          {events.slice(0, limit).map((one) => (
            <li key={`${one.event} ${one.order} ${one.payment}`} class="row">
              <time dateTime={one.at} title={formatTime(one.at)}>
                {now === undefined ? '' : timeTo(now, one.at)}
              </time>
              <span class="grow">
                <EventText event={one} />
              </span>
              <Button
                of={`${formatTime(one.at)}, order ${one.order}`}
                onClick={() =>
                  studio.actions.act(`Clock ${formatTime(one.at)}`, 'PUT /_backlot/clock', {
                    now: timeAfter(one),
                  })
                }
              >
                Go there
              </Button>
            </li>
          ))}
        </ol>
      </section>
      {children}
    </>
  );
}

/** A payment settles at its time, a cart or an unpaid order expires after it. */
function timeAfter({ at, event }: Event): string {
  if (event === 'settle') return at;
  const date = new Date(Date.parse(at.replace(/\+0000$/, 'Z')) + 1000);
  return date.toISOString().replace('.000', '');
}

function EventText({ event: { event, order, payment, outcome } }: { readonly event: Event }) {
  const link = order === undefined ? null : <a href={hrefTo('orders', order)}>order {order}</a>;
  if (event === 'settle')
    return (
      <>
        payment {payment} of {link} settles: {outcome}
      </>
    );
  return event === 'abandon' ? <>cart expires: {link}</> : <>unpaid {link} is released</>;
}

/** Lists the orders that were changed last, except carts that ran out, with `children` below them once they are loaded. */
export function Latest({ children }: LatestProps) {
  const studio = useStudio();
  const { body, error } = useLoaded<OrdersPage['orders']>('GET /_backlot/orders?limit=20');
  const orders = useLast(body)
    ?.filter(({ state }) => state !== 'abandoned')
    .slice(0, 5);
  if (orders === undefined) return error === undefined ? null : children;
  return (
    <>
      {orders.length > 0 && (
        <section class="card">
          <h2>Last orders</h2>
          <ul class="list">
            {orders.map(({ id, total, currency, state, updated_at: at }) => (
              <li key={id} class="row">
                <Time at={at} />
                <a href={hrefTo('orders', id)}>order {id}</a>
                <span class={`grow ${toneOf(studio, state) ?? 'soft'}`}>{state}</span>
                <span>{formatMoney(total, currency)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {children}
    </>
  );
}

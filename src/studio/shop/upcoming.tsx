import type { UpcomingProps } from '../api-pages.ts';
import type { UpcomingView } from '../../shop/control/progress.ts';
import { timeBetween } from '../duration-text.ts';
import { formatTime } from '../format.ts';
import { hrefTo } from '../route.ts';
import { Button, Empty, useLast, useLoaded } from '../ui.tsx';
import { useStudio } from '../studio.ts';

type Event = UpcomingView[number];

/** Lists the next events of the clock. @param limit maximum number of events (default: unlimited) */
export function Upcoming({ limit = Infinity, children }: UpcomingProps) {
  const studio = useStudio();
  const { body, error } = useLoaded<UpcomingView>('GET /_backlot/upcoming');
  const events = useLast(body);
  const now = studio.shop.clock.value?.now;
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
                {now === undefined ? '' : timeBetween(now, one.at)}
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

import { useState } from 'preact/hooks';
import { parseDuration, timeBetween } from '../duration-text.ts';
import { formatTime } from '../format.ts';
import { Form, TextField } from '../form.tsx';
import { hrefTo } from '../route.ts';
import { History, Scenario, Sessions, Snapshots } from './time-parts.tsx';
import { act, clock, health, notice } from '../store.ts';
import { Button, Empty, useLoaded, type SectionProps } from '../ui.tsx';

/** The clock, its next events, snapshots, scenarios and sessions. */
export function TimeSection({ source }: SectionProps) {
  return (
    <>
      <h1 class="unseen">Time</h1>
      <div class="pair">
        <div class="stack">
          <ClockCard />
          <Snapshots source={source} />
          <Scenario source={source} />
          <History />
          {health.value?.may.sessions === true && <Sessions source={source} />}
        </div>
        <Upcoming source={source} />
      </div>
    </>
  );
}

const advances = [
  ['PT10M', '+10 min'],
  ['PT1H', '+1 h'],
  ['P1D', '+1 day'],
  ['P7D', '+7 days'],
] as const;

function set(title: string, body: object) {
  return act(title, 'PUT /_backlot/clock', body);
}

function ClockCard() {
  const [duration, setDuration] = useState('');
  const [time, setTime] = useState('');
  const advance = async () => {
    const parsed = parseDuration(duration);
    if (parsed === undefined) {
      notice.value = { kind: 'error', text: `“${duration}” is no duration such as 3 h or P2W.` };
    } else if ((await set(`Clock ${duration}`, { advance: parsed })) !== undefined) setDuration('');
  };
  const isTicking = clock.value?.mode === 'ticking';
  return (
    <section class="card">
      <h2>Clock</h2>
      <p class="clock">
        {clock.value === undefined ? '…' : formatTime(clock.value.now)}{' '}
        <span class="soft">{isTicking ? 'ticking' : 'frozen'}</span>
      </p>
      <div class="row">
        {advances.map(([value, title]) => (
          <Button
            key={value}
            of="of the clock"
            onClick={() => set(`Clock ${title}`, { advance: value })}
          >
            {title}
          </Button>
        ))}
        <Button
          of="the clock"
          onClick={() =>
            isTicking
              ? set('Froze the clock', { mode: 'frozen' })
              : set('Started the clock', { mode: 'ticking' })
          }
        >
          {isTicking ? 'Freeze' : 'Start'}
        </Button>
      </div>
      <Form label="Advance the clock" submit="Advance" of="the clock" onSubmit={advance}>
        <TextField
          label="Advance by"
          class="grow"
          hint="3 h, 2 weeks, -P1D"
          value={duration}
          onValue={setDuration}
          isRequired
        />
      </Form>
      <Form
        label="Set the clock"
        submit="Set"
        of="the clock"
        onSubmit={() => set('Set the clock', { now: dateTimeOf(time) })}
      >
        <TextField
          label="Set to"
          class="grow"
          hint={clock.value?.now.slice(0, 16) ?? '2026-03-02T09:00'}
          value={time}
          onValue={setTime}
          isRequired
        />
      </Form>
    </section>
  );
}

/** Completes a date, and a time without a zone, which is UTC. */
function dateTimeOf(text: string): string {
  const typed = text.trim().replace(' ', 'T');
  if (/^\d{4}-\d\d-\d\d$/.test(typed)) return `${typed}T00:00:00Z`;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(typed)) return `${typed}:00Z`;
  return /T[\d:]+$/.test(typed) ? `${typed}Z` : typed;
}

interface Event {
  readonly at: string;
  readonly event: 'settle' | 'abandon' | 'release';
  readonly order?: number;
  readonly payment?: number;
  readonly outcome?: string;
}

function Upcoming({ source }: SectionProps) {
  const { body: events } = useLoaded<readonly Event[]>(source, 'GET /_backlot/upcoming');
  const now = clock.value?.now;
  return (
    <section class="card">
      <h2>What comes next</h2>
      {events?.length === 0 && <Empty>Nothing: no cart expires and no payment settles.</Empty>}
      <ol class="list">
        {events?.map((one) => (
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
                act(`Clock ${formatTime(one.at)}`, 'PUT /_backlot/clock', { now: timeAfter(one) })
              }
            >
              Go there
            </Button>
          </li>
        ))}
      </ol>
    </section>
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

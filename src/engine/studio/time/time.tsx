import { useState } from 'preact/hooks';
import { apiPages } from '../api-pages.ts';
import { parseDuration } from '../duration-text.ts';
import { formatTime } from '../format.ts';
import { Form, TextField } from '../form.tsx';
import { History, Scenario, Sessions, Snapshots } from './time-parts.tsx';
import { act, clock, health, notice } from '../store.ts';
import { Button } from '../ui.tsx';

/** The clock, its next events, snapshots, scenarios and sessions. */
export function TimeSection() {
  const { Upcoming } = apiPages();
  return (
    <>
      <h1 class="unseen">Time</h1>
      <div class="pair">
        <div class="stack">
          <ClockCard />
          <Snapshots />
          <Scenario />
          <History />
          {health.value?.may.sessions === true && <Sessions />}
        </div>
        {Upcoming && <Upcoming />}
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

import type { ScenarioView } from '../../engine/control/endpoints/reset.ts';
import { parseDuration } from '../duration-text.ts';
import { formatTime } from '../format.ts';
import { Form, TextField, useText } from '../form.tsx';
import { History, Scenario, Sessions, Snapshots } from './time-parts.tsx';
import { useLoaded, WriteButtons } from '../ui.tsx';
import { useStudio, type Studio } from '../studio.ts';

/** The clock, its next events, snapshots, scenarios and sessions. */
export function TimeSection() {
  const studio = useStudio();
  const { Upcoming } = studio.pages.value;
  const { body: scenarios = [] } = useLoaded<readonly ScenarioView[]>('GET /_backlot/scenarios');
  return (
    <>
      <h1 class="unseen">Time</h1>
      <div class="pair">
        <div class="stack">
          <ClockCard />
          <Snapshots />
          <Scenario scenarios={scenarios} />
          <History />
          {studio.shop.health.value?.may.sessions === true && <Sessions />}
        </div>
        {Upcoming && <Upcoming />}
      </div>
    </>
  );
}

const clockLine = 'PUT /_backlot/clock';

const advances = (
  [
    ['PT10M', '+10 min'],
    ['PT1H', '+1 h'],
    ['P1D', '+1 day'],
    ['P7D', '+7 days'],
  ] as const
).map(([advance, title]) => [title, `Clock ${title}`, clockLine, { advance }] as const);

function set(studio: Studio, title: string, body: object) {
  return studio.actions.act(title, clockLine, body);
}

function ClockCard() {
  const studio = useStudio();
  const [duration, time] = [useText(), useText()];
  const advance = async () => {
    const { value } = duration;
    const parsed = parseDuration(value);
    if (parsed === undefined) {
      studio.notices.show(`“${value}” is no duration such as 3 h or P2W.`);
    } else if ((await set(studio, `Clock ${value}`, { advance: parsed })) !== undefined)
      duration.onValue('');
  };
  const { clock } = studio.preview;
  const isTicking = clock?.mode === 'ticking';
  return (
    <section class="card">
      <h2>Clock</h2>
      <p class="clock">
        {clock === undefined ? '…' : formatTime(clock.now)}{' '}
        <span class="soft">{isTicking ? 'ticking' : 'frozen'}</span>
      </p>
      <div class="row">
        <WriteButtons of="of the clock" writes={advances} />
        <WriteButtons
          of="the clock"
          writes={[
            isTicking
              ? ['Freeze', 'Froze the clock', clockLine, { mode: 'frozen' }]
              : ['Start', 'Started the clock', clockLine, { mode: 'ticking' }],
          ]}
        />
      </div>
      <Form label="Advance the clock" submit="Advance" of="the clock" onSubmit={advance}>
        <TextField
          label="Advance by"
          class="grow"
          hint="3 h, 2 weeks, -P1D"
          {...duration}
          required
        />
      </Form>
      <Form
        label="Set the clock"
        submit="Set"
        of="the clock"
        onSubmit={() => set(studio, 'Set the clock', { now: dateTimeOf(time.value) })}
      >
        <TextField
          label="Set to"
          class="grow"
          hint={clock?.now.slice(0, 16) ?? '2026-03-02T09:00'}
          {...time}
          required
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

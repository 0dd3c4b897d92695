import { formatTime } from './format.ts';
import { hrefTo, rooms, route } from './route.ts';
import { clock, health, notice, rewind } from './store.ts';
import { Button } from './ui.tsx';

const titles = {
  requests: 'Requests',
  orders: 'Orders',
  data: 'Data',
  rules: 'Rules',
  time: 'Time',
  docs: 'Docs',
} as const;

/** The part of the page that every room has. */
export function Header() {
  const { room } = route.value;
  return (
    <header>
      <a class="brand" href={hrefTo('requests')}>
        Backlot
      </a>
      <nav aria-label="Rooms">
        {rooms.map((name) => (
          <a key={name} href={hrefTo(name)} aria-current={name === room ? 'page' : undefined}>
            {titles[name]}
          </a>
        ))}
      </nav>
      <span class="about">
        {clock.value !== undefined && <span>{formatTime(clock.value.now)}</span>}
        {health.value !== undefined && (
          <span>{`${health.value.session?.scenario ?? health.value.scenario} · ${health.value.session?.name ?? 'shared shop'}`}</span>
        )}
      </span>
    </header>
  );
}

/** What the last action did, or why it failed. */
export function NoticeBar() {
  const shown = notice.value;
  return (
    <div role="status" class={`notice ${shown?.kind ?? ''}`}>
      {shown !== undefined && (
        <>
          <span>{shown.text}</span>
          {shown.undo !== undefined && (
            <Button of={shown.text} onClick={() => rewind(shown.undo ?? 0, 'before')}>
              Undo
            </Button>
          )}
          <Button kind="quiet" of="message" onClick={() => (notice.value = undefined)}>
            Close
          </Button>
        </>
      )}
    </div>
  );
}

import { control, get, saveToken, type Responses, type Transitions } from './control.ts';
import { byId, el, row, render, setText } from './dom.ts';
import { describeFault, entryDetails, orderTable } from './views.ts';

// The script of the dashboard. It reads the state of the shop every two seconds and shows it.

const refreshInterval = 2000;
const shownEntries = 30;

let scenarios: Responses['scenarios'] = [];
let lastRequested = 0;
let lastShown = 0;
let isTicking = false;
let isDisconnected = false;

/** Runs an action, then shows its effect or its error. */
async function act(action: () => Promise<unknown>): Promise<void> {
  try {
    setText('notice', '');
    await action();
    await refresh();
  } catch (error) {
    setText('notice', messageOf(error));
  }
}

async function refresh(): Promise<void> {
  const turn = ++lastRequested;
  if (scenarios.length === 0) await loadScenarios();
  const [clock, snapshots, faults, holds, journal, sessions, orders] = await Promise.all([
    get('clock'),
    get('snapshot'),
    get('faults'),
    get('holds'),
    get('journal'),
    // A session has no list of sessions, and a client without a session has no orders to list.
    get('sessions').catch(messageOf),
    get('orders').catch(messageOf),
  ]);
  // A response that was overtaken by a later one is out of date.
  if (turn < lastShown) return;
  lastShown = turn;
  showClock(clock);
  showSnapshots(snapshots);
  showFaults(faults);
  showHolds(holds);
  if (typeof sessions === 'string') render('sessions', [], sessions);
  else showSessions(sessions);
  showJournal(journal);
  if (typeof orders === 'string') render('orders', [], orders);
  else render('orders', [orderTable(orders, showOrderButton)], '');
  byId('controls', HTMLElement).hidden = false;
}

async function loadScenarios(): Promise<void> {
  const { scenario, session } = await get('health');
  scenarios = await get('scenarios');
  const select = byId('scenario', HTMLSelectElement);
  select.replaceChildren(...scenarios.map(({ name }) => el('option', {}, name)));
  select.value = session?.scenario ?? scenario;
  describeScenario();
}

function describeScenario(): void {
  const { value } = byId('scenario', HTMLSelectElement);
  setText('description', scenarios.find(({ name }) => name === value)?.description ?? '');
}

function showClock({ now, mode }: Responses['clock']): void {
  isTicking = mode === 'ticking';
  setText('now', `${now.slice(0, 19).replace('T', ' ')} UTC, ${mode}`);
  setText('tick', isTicking ? 'Freeze' : 'Start');
}

function showSnapshots(snapshots: Responses['snapshot']): void {
  const rows = snapshots.map(({ name, now }) =>
    row(
      `snapshots/${name}`,
      `${name}, ${now.slice(0, 16).replace('T', ' ')}`,
      button('Restore', () => control('POST', `snapshot/${name}/restore`)),
      button('Delete', () => control('DELETE', `snapshot/${name}`)),
    ),
  );
  render('snapshots', rows, 'No snapshots.');
}

function showFaults(faults: Responses['faults']): void {
  const rows = faults.map((fault) =>
    row(
      `faults/${fault.id}`,
      describeFault(fault),
      button('Delete', () => control('DELETE', `faults/${fault.id}`)),
    ),
  );
  render('faults', rows, 'No faults.');
}

function showHolds(holds: Responses['holds']): void {
  const rows = holds.map(({ name, method, url, since }, at) =>
    row(
      `holds/${at}/${name}`,
      el(
        'span',
        {},
        'Held as ',
        el('b', {}, name),
        ': ',
        el('code', {}, `${method} ${url}`),
        el('span', { className: 'soft' }, ` since ${since.slice(11, 19)}`),
      ),
      button('Release', () => control('POST', `holds/${encodeURIComponent(name)}/release`)),
    ),
  );
  render('holds', rows, 'No held responses.');
}

function showSessions({ sessions, dropped }: Responses['sessions']): void {
  const rows = sessions.map(({ name, scenario, idle_seconds: idle, path }) =>
    row(
      `sessions/${name}`,
      el('span', {}, el('a', { href: `${path}/_backlot/` }, name), ` ${scenario}, idle ${idle} s`),
      button('Reset', () => control('POST', `sessions/${name}/reset`, {})),
      button('Delete', () => control('DELETE', `sessions/${name}`)),
    ),
  );
  const deleted = dropped.map(({ name, reason }) =>
    el('p', { className: 'soft' }, `${name} was deleted: ${reason}`),
  );
  render('sessions', [...rows, ...deleted], 'No sessions.');
}

function showJournal({ entries, dropped }: Responses['journal']): void {
  const count = entries.length === 1 ? '1 entry' : `${entries.length} entries`;
  setText('entry-count', `${count}${dropped > 0 ? `, ${dropped} dropped` : ''}`);
  const opened = byId('journal', HTMLElement).querySelectorAll('details[open]');
  const openIds = new Set(Array.from(opened, ({ id }) => id));
  const latest = entries.slice(-shownEntries).toReversed();
  render(
    'journal',
    latest.map((entry) => entryDetails(entry, openIds.has(`journal/${entry.id}`))),
    'No requests.',
  );
}

function showOrderButton(id: number): HTMLButtonElement {
  return button('Show', () => showTransitions('order', String(id)));
}

async function showTransitions(machine: string, id: string): Promise<void> {
  const path = `transitions/${machine}/${id}`;
  const { state, transitions } = await control<Transitions>('GET', path);
  byId('machine', HTMLSelectElement).value = machine;
  byId('record', HTMLInputElement).value = id;
  byId('select-record', HTMLFormElement).scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  const buttons = transitions
    .filter(({ possible }) => possible)
    .map(({ transition }) =>
      button(transition, async () => {
        await control('POST', path, { transition });
        await showTransitions(machine, id);
      }),
    );
  const title = el('p', {}, `${machine.replace('_', ' ')} ${id} is ${state}`);
  render('transitions', [title, el('div', { className: 'row' }, ...buttons)], '');
}

function button(text: string, action: () => Promise<unknown>): HTMLButtonElement {
  return el('button', { type: 'button', onclick: () => act(action) }, text);
}

function onSubmit(id: string, action: () => Promise<unknown>): void {
  byId(id, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void act(action);
  });
}

function onClick(target: HTMLButtonElement, action: () => Promise<unknown>): void {
  target.addEventListener('click', () => void act(action));
}

function inputValue(id: string): string {
  return byId(id, HTMLInputElement).value;
}

/** Refreshes the page. Shows a failure until the server responds again. */
async function poll(): Promise<void> {
  try {
    await refresh();
    if (isDisconnected) setText('notice', '');
    isDisconnected = false;
  } catch (error) {
    setText('notice', messageOf(error));
    isDisconnected = true;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

onSubmit('reset', () =>
  control('POST', 'reset', { scenario: byId('scenario', HTMLSelectElement).value }),
);
onSubmit('advance', () => control('PUT', 'clock', { advance: inputValue('duration') }));
onSubmit('snapshot', () => control('POST', 'snapshot', { name: inputValue('snapshot-name') }));
onSubmit('session', () => control('POST', 'sessions', { name: inputValue('session-name') }));
onSubmit('select-record', () =>
  showTransitions(byId('machine', HTMLSelectElement).value, inputValue('record')),
);
onSubmit('token', () => {
  saveToken(inputValue('token-text'));
  byId('token', HTMLFormElement).hidden = true;
  return Promise.resolve();
});
byId('scenario', HTMLSelectElement).addEventListener('change', describeScenario);
onClick(byId('clear', HTMLButtonElement), () => control('DELETE', 'journal'));
onClick(byId('tick', HTMLButtonElement), () =>
  control('PUT', 'clock', { mode: isTicking ? 'frozen' : 'ticking' }),
);
for (const one of document.querySelectorAll<HTMLButtonElement>('[data-advance]')) {
  const { advance = '' } = one.dataset;
  onClick(one, () => control('PUT', 'clock', { advance }));
}
for (const one of document.querySelectorAll<HTMLButtonElement>('[data-fault]')) {
  const fault = JSON.parse(one.dataset['fault'] ?? '{}') as object;
  onClick(one, () => control('POST', 'faults', fault));
}

void act(() => Promise.resolve());
setInterval(() => {
  if (!document.hidden) void poll();
}, refreshInterval);

import { useState } from 'preact/hooks';
import type { ScenarioView, SnapshotView } from '../../engine/control/endpoints/reset.ts';
import type { SessionsView } from '../../engine/control/endpoints/sessions.ts';
import { CheckField, Form, SelectField, TextField, useText } from '../form.tsx';
import { countOf, formatTime } from '../format.ts';
import { useLive } from '../live.ts';
import { Button, CopyButton, Disclosure, Empty, useLoaded, WriteButtons } from '../ui.tsx';
import { useStudio, type Studio } from '../studio.ts';

/** Takes, restores, deletes and offers snapshots. */
export function Snapshots() {
  const studio = useStudio();
  const named = useText();
  const name = named.value;
  const [isOffered, setOffered] = useState(false);
  const { body: snapshots } = useLoaded<readonly SnapshotView[]>('GET /_backlot/snapshot');
  const take = async () => {
    const body = { name, ...(isOffered && { publish: true }) };
    const title = isOffered
      ? `Took the snapshot ${name} for ${linkOf(studio, name)}`
      : `Took the snapshot ${name}`;
    const reply = await studio.actions.act(title, 'POST /_backlot/snapshot', body);
    if (reply !== undefined) named.onValue('');
  };
  return (
    <section class="card">
      <h2>Snapshots</h2>
      <Form label="Take a snapshot" submit="Take snapshot" onSubmit={take}>
        <TextField
          label="Name"
          class="grow"
          hint={studio.pages.value.snapshot}
          {...named}
          required
        />
        {studio.shop.health.value?.session !== undefined &&
          studio.shop.health.value.may.sessions && (
            <CheckField label="offer it to links" value={isOffered} onValue={setOffered} />
          )}
      </Form>
      {snapshots?.length === 0 && <Empty>No snapshots.</Empty>}
      <ul class="list">
        {snapshots?.map((one) => (
          <SnapshotItem key={one.name} {...one} />
        ))}
      </ul>
    </section>
  );
}

/** The link that begins a session with a snapshot: those of the shared shop are offered to all. */
function linkOf(studio: Studio, name: string): string {
  return `${studio.client.source.root.replace(/\/s\/[^/]+$/, '')}/_backlot/begin?snapshot=${encodeURIComponent(name)}`;
}

function SnapshotItem({ name, scenario, now }: SnapshotView) {
  const studio = useStudio();
  const path = `/_backlot/snapshot/${encodeURIComponent(name)}`;
  return (
    <li class="row">
      <span class="grow">
        <b>{name}</b>{' '}
        <span class="soft">
          {scenario}, {formatTime(now)}
        </span>
      </span>
      {studio.shop.health.value?.session === undefined && (
        <CopyButton of={`to a session from the snapshot ${name}`} text={linkOf(studio, name)}>
          Copy link
        </CopyButton>
      )}
      <WriteButtons
        of={`snapshot ${name}`}
        writes={[
          ['Restore', `Restored ${name}`, `POST ${path}/restore`],
          ['Delete', `Deleted the snapshot ${name}`, `DELETE ${path}`, undefined, 'quiet'],
        ]}
      />
    </li>
  );
}

/** Sends what the history has again, or deletes it, once that is confirmed: it cannot be undone. */
export function History() {
  const studio = useStudio();
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    const reply = await studio.actions.act('Deleted the history', 'DELETE /_backlot/journal');
    if (reply !== undefined) await studio.history.load();
    setAsking(false);
  };
  return (
    <section class="card">
      <h2>History</h2>
      {isAsking ? (
        <div class="row">
          <span class="grow">
            {studio.shop.hasHistory.value
              ? 'This deletes all recorded requests and every undo. The shop stays as it is.'
              : 'This deletes all recorded requests.'}
          </span>
          <Button kind="danger" onClick={remove}>
            Delete for ever
          </Button>
          <Button onClick={() => setAsking(false)}>Keep the history</Button>
        </div>
      ) : (
        <div class="row">
          {studio.shop.hasHistory.value && (
            <Button onClick={async () => (await studio.views.files()).sendAgain(studio)}>
              Send all again to a reset shop
            </Button>
          )}
          <Button onClick={() => setAsking(true)}>Delete the history …</Button>
        </div>
      )}
    </section>
  );
}

/** Resets the shop to a scenario, which can be undone. */
export function Scenario({ scenarios }: { readonly scenarios: readonly ScenarioView[] }) {
  const studio = useStudio();
  const [chosen, setChosen] = useState<string>();
  const [seed, start] = [useText(), useText()];
  const { session, scenario = 'default', may } = studio.shop.health.value ?? {};
  const present = session?.scenario ?? scenario;
  const name = chosen ?? present;
  const reset = () =>
    studio.actions.act(`Reset to ${name}`, 'POST /_backlot/reset', {
      ...(scenarios.some((one) => one.name === name) && { scenario: name }),
      ...(seed.value !== '' && { seed: seed.value }),
      ...(start.value !== '' && { now: start.value }),
    });
  return (
    <section class="card">
      <h2>Begin again</h2>
      <Form label="Reset the shop" submit="Reset" of={`to ${name}`} kind="danger" onSubmit={reset}>
        <SelectField
          label="Scenario"
          isPlain
          class="grow"
          value={name}
          values={[...new Set([present, ...scenarios.map((one) => one.name)])].toSorted()}
          onValue={setChosen}
        />
      </Form>
      <p class="soft">{scenarios.find((one) => one.name === name)?.description}</p>
      {may?.starts === true && (
        <Disclosure title="Seed and start time">
          <div class="fields">
            <TextField label="Seed" class="short" hint="1" inputMode="numeric" {...seed} />
            <TextField label="Start time" class="grow" hint="2026-03-02T09:00:00Z" {...start} />
          </div>
        </Disclosure>
      )}
    </section>
  );
}

/** Lists, opens, resets and deletes sessions. */
export function Sessions({ limit }: { readonly limit?: number }) {
  const studio = useStudio();
  const name = useText();
  const list = useLive<SessionsView>('GET /_backlot/sessions');
  const open = async () => {
    const body = { name: name.value };
    const did = `Opened the session ${name.value}`;
    const reply = await studio.actions.act(did, 'POST /_backlot/sessions', body);
    if (reply !== undefined) name.onValue('');
  };
  return (
    <section class="card">
      <h2>Sessions</h2>
      <Form label="Open a session" submit="Open" of="session" onSubmit={open}>
        <TextField label="Name" class="grow" hint="ada" {...name} required />
      </Form>
      {list?.sessions.length === 0 && <Empty>No sessions.</Empty>}
      <ul class="list">
        {list?.sessions.slice(0, limit).map((one) => (
          <li key={one.name} class="row">
            <span class="grow">
              <a href={`${one.path}/_backlot/`}>{one.name}</a>{' '}
              <span class="soft">
                {`${one.scenario}, ${countOf(one.requests, 'request')}, idle ${one.idle_seconds} s`}
              </span>
            </span>
            <WriteButtons
              of={`session ${one.name}`}
              writes={[
                ['Reset', `Reset the session ${one.name}`, `POST ${pathOf(one)}/reset`, {}],
                ['Delete', `Deleted the session ${one.name}`, `DELETE ${pathOf(one)}`],
              ]}
            />
          </li>
        ))}
      </ul>
      {list?.dropped.map((one) => (
        <p key={one.name} class="soft">
          {one.name} was deleted: {one.reason}
        </p>
      ))}
    </section>
  );
}

function pathOf({ name }: { readonly name: string }): string {
  return `/_backlot/sessions/${encodeURIComponent(name)}`;
}

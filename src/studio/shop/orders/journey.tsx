import { capitalize } from '../../../engine/lib/words.ts';
import type { MachineView } from '../../../engine/control/endpoints/machines.ts';
import { useState } from 'preact/hooks';
import { sentenceIn } from '../../entries.ts';
import { RecordState } from '../../explained-value.tsx';
import { chartOf, type Edge } from './charts.tsx';
import { possibleOf, type ChangingEntry, type OrderData } from './order-data.ts';
import { hrefToEntry } from '../../route.ts';
import { toneOf } from '../../tones.ts';
import { WriteButtons } from '../../ui.tsx';
import { useStudio } from '../../studio.ts';

interface ChartsProps {
  readonly data: OrderData;
}

const maxColumns = 8;

/**
 * The way of an order and of each of its payments, shipments and units: one lane each, over the entries that changed them.
 * A lane opens the chart of its machine. Units of the same way share one.
 */
export function Journey({ data }: ChartsProps) {
  const studio = useStudio();
  const entries = data.entries.filter((entry) => studio.preview.isInEffect(entry));
  const columns = entries.slice(-maxColumns);
  return (
    <div class="journey">
      <div class="columns">
        <h2 class="cap">
          Journey{' '}
          <small class="soft">{spanOf(data.changesFrom, columns.length, entries.length)}</small>
        </h2>
        <ol class="ticks" style={tracks(columns.length)} aria-label="Entries">
          <li />
          {columns.map((entry) => (
            <li key={entry.id}>
              <a href={hrefToEntry(entry.id)} title={sentenceIn(studio, entry)}>
                {`#${entry.id}`}
                <br />
                {entry.step ?? (entry.by === 'request' ? '' : entry.by)}
              </a>
            </li>
          ))}
        </ol>
      </div>
      {data.machines.flatMap((machine) =>
        groupsOf(data, machine).map((group) => (
          <Lane
            key={`${machine.name} ${group.ids[0]}`}
            data={data}
            machine={machine}
            group={group}
            columns={columns}
          />
        )),
      )}
    </div>
  );
}

/** Returns the range of the columns: `since #151`, `last 8 of 12`. */
function spanOf(changesFrom: number, shown: number, all: number): string {
  if (shown < all) return `last ${shown} of ${all} changes`;
  return changesFrom === 1 ? '' : `since #${changesFrom}`;
}

/** The first column is what was before the others, the last one has the present states. */
function tracks(columns: number) {
  if (columns === 0) return {};
  const inner = columns < 2 ? '' : `repeat(${columns - 1}, minmax(0, 1fr))`;
  return { gridTemplateColumns: `minmax(0, 0.5fr) ${inner} minmax(0, 1.3fr)` };
}

/** Records in the same state, which came there by the same way. */
interface Group {
  readonly ids: readonly number[];
  readonly state: string;
  readonly taken: readonly Edge[];
}

/** Only units are grouped: an order may have hundreds of them. */
function groupsOf(
  { tables, moves }: OrderData,
  { name, table, field }: MachineView,
): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { id, [field]: state } of tables.get(table) ?? []) {
    const taken = moves.flatMap(({ machine, id: moved, from, to }) =>
      machine === name && moved === id && from !== undefined ? [{ from, to }] : [],
    );
    const way = taken.map(({ from, to }) => `${from}>${to}`).join();
    const key = name === 'inventory_unit' ? `${String(state)} ${way}` : String(id);
    const ids = [...(groups.get(key)?.ids ?? []), id];
    groups.set(key, { ids, state: String(state), taken });
  }
  return [...groups.values()];
}

/** The states of a record, and the columns over which each lasted. One that was there before has its state in the first. */
function staysOf(
  columns: readonly ChangingEntry[],
  machine: string,
  { ids: [id], state, taken }: Group,
): readonly { readonly state: string; readonly from: number; readonly to: number }[] {
  const last = columns.length + 1;
  const own = columns.flatMap(({ moves }, at) =>
    moves
      .filter((move) => move.machine === machine && move.id === id)
      .map((move) => ({ ...move, at: at + 1 })),
  );
  const [first] = own;
  if (first === undefined) return [{ state: taken.at(-1)?.to ?? state, from: 0, to: last }];
  return [
    ...(first.from === undefined ? [] : [{ state: first.from, from: 0, to: first.at }]),
    ...own.map((move, at) => ({ state: move.to, from: move.at, to: own[at + 1]?.at ?? last })),
  ].filter(({ from, to }) => to > from);
}

function Lane({
  data,
  machine,
  group,
  columns,
}: ChartsProps & {
  readonly machine: MachineView;
  readonly group: Group;
  readonly columns: readonly ChangingEntry[];
}) {
  const studio = useStudio();
  const [isOpen, setOpen] = useState(false);
  const { ids, state, taken } = group;
  const [id = 0] = ids;
  const word = machine.name.replace('_', ' ');
  const title = ids.length === 1 ? `${word} ${id}` : `${ids.length} ${word}s`;
  const next = possibleOf(data, machine.name, id)?.map(({ to }) => to) ?? leadsTo(machine, state);
  const stays = staysOf(columns, machine.name, group);
  return (
    <div class="charted">
      <div class="lane">
        <span>
          {title} <RecordState machine={machine.name} id={id} state={state} />
        </span>
        <button
          type="button"
          class="track"
          style={tracks(columns.length)}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span class="unseen">{`Chart of ${title}: `}</span>
          {stays.map((stay, at) => (
            <span
              key={stay.from}
              class={`stay ${toneOf(studio, stay.state) ?? ''}${at === stays.length - 1 ? ' lasts' : ''}`}
              style={{ gridColumn: `${stay.from + 1} / ${stay.to + 1}` }}
            >
              {stay.state}
            </span>
          ))}
        </button>
        {machine.name !== 'inventory_unit' && (
          <TransitionButtons data={data} machine={machine.name} id={id} />
        )}
      </div>
      <ul class="unseen">
        {taken.length > 0 && (
          <li>{`way taken: ${[taken[0]?.from, ...taken.map(({ to }) => to)].join(' → ')}`}</li>
        )}
        <li>{`present state: ${state}`}</li>
        <li>{`possible next: ${next.length === 0 ? 'none' : next.join(', ')}`}</li>
      </ul>
      {isOpen && chartOf(studio, machine, state, taken, next)}
    </div>
  );
}

function leadsTo({ transitions }: MachineView, state: string): string[] {
  return transitions.filter(({ from }) => from.includes(state)).map(({ to }) => to);
}

/** Buttons for the possible transitions of a record: ship, return, cancel, refund, … */
export function TransitionButtons({
  data,
  machine,
  id,
}: ChartsProps & { readonly machine: string; readonly id: number }) {
  const possible = possibleOf(data, machine, id) ?? [];
  if (possible.length === 0) return null;
  const of = `${machine.replace('_', ' ')} ${id}`;
  return (
    <div class="row transitions">
      <WriteButtons
        of={of}
        writes={possible.map(({ transition, request: { method, url, body } }) => [
          transition,
          `${capitalize(transition)}: ${of}`,
          `${method} ${url}`,
          body,
        ])}
      />
    </div>
  );
}

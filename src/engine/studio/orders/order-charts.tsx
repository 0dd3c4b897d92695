import { RecordState } from '../ask.tsx';
import { Chart, type Edge, type Machine } from './charts.tsx';
import { capitalize } from '../format.ts';
import { possibleOf, type OrderData, type Transition } from './order-data.ts';
import { act } from '../store.ts';
import { Button } from '../ui.tsx';

interface ChartsProps {
  readonly data: OrderData;
}

/** A chart of the order, and of each of its payments, shipments and units. Units of the same way share one. */
export function OrderCharts({ data }: ChartsProps) {
  return (
    <div class="charts">
      {data.machines.map((machine) =>
        groupsOf(data, machine).map((group) => (
          <RecordChart
            key={`${machine.name} ${group.ids[0]}`}
            data={data}
            machine={machine}
            group={group}
          />
        )),
      )}
    </div>
  );
}

/** Records in the same state, which came there by the same way. */
interface Group {
  readonly ids: readonly number[];
  readonly state: string;
  readonly taken: readonly Edge[];
}

/** Only units are grouped: an order may have hundreds of them. */
function groupsOf(data: OrderData, { name, table, field }: Machine): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const row of data.tables.get(table) ?? []) {
    const state = String(row[field]);
    const taken = wayOf(data, name, row.id);
    const way = taken.map(({ from, to }) => `${from}>${to}`).join();
    const key = name === 'inventory_unit' ? `${state} ${way}` : String(row.id);
    groups.set(key, { ids: [...(groups.get(key)?.ids ?? []), row.id], state, taken });
  }
  return [...groups.values()];
}

/** The way of a record to the shown state. */
function wayOf({ moves }: OrderData, machine: string, id: number): Edge[] {
  return moves.flatMap((move) =>
    move.machine === machine && move.id === id && move.from !== undefined
      ? [{ from: move.from, to: move.to }]
      : [],
  );
}

function RecordChart({
  data,
  machine,
  group: { ids, state, taken },
}: ChartsProps & { readonly machine: Machine; readonly group: Group }) {
  const [id = 0] = ids;
  const word = machine.name.replace('_', ' ');
  const title = ids.length === 1 ? `${word} ${id}` : `${ids.length} ${word}s`;
  const possible = possibleOf(data, machine.name, id);
  const next = possible?.map(({ to }) => to) ?? leadsTo(machine, state);
  return (
    <div class="charted">
      <Chart machine={machine} title={title} state={state} taken={taken} possible={next}>
        <RecordState machine={machine.name} id={id} state={state} />
      </Chart>
      {machine.name !== 'inventory_unit' && (
        <TransitionButtons machine={machine.name} id={id} possible={possible ?? []} />
      )}
    </div>
  );
}

function leadsTo({ transitions }: Machine, state: string): string[] {
  return transitions.filter(({ from }) => from.includes(state)).map(({ to }) => to);
}

/** Buttons for the possible transitions of a record: ship, return, cancel, refund, … */
export function TransitionButtons({
  machine,
  id,
  possible,
}: {
  readonly machine: string;
  readonly id: number;
  readonly possible: readonly Transition[];
}) {
  if (possible.length === 0) return null;
  const word = `${machine.replace('_', ' ')} ${id}`;
  return (
    <div class="row transitions">
      {possible.map(({ transition }) => (
        <Button
          key={transition}
          of={word}
          onClick={() =>
            act(
              `${capitalize(transition)}: ${word}`,
              `POST /_backlot/transitions/${machine}/${id}`,
              { transition },
            )
          }
        >
          {transition}
        </Button>
      ))}
    </div>
  );
}

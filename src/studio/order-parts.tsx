import type { ComponentChildren } from 'preact';
import { formatMoney, formatValue } from './format.ts';
import { moneyLines } from './money.ts';
import { TransitionButtons } from './order-charts.tsx';
import { possibleOf, type OrderData } from './order-data.ts';
import type { Row } from './past.ts';
import { hrefTo } from './route.ts';
import { toneOf } from './tones.ts';
import { Table, type Column } from './ui.tsx';

interface PartProps {
  readonly data: OrderData;
}

/** Items, adjustments, the total and the payments of an order. */
export function OrderMoney({ data }: PartProps) {
  const { order, tables } = data;
  const currency = formatValue(order['currency']);
  const money = (amount: unknown) => formatMoney(Number(amount), currency);
  const items = tables.get('order_items') ?? [];
  const payments = tables.get('payments') ?? [];
  const lines = moneyLines(order, tables.get('adjustments') ?? []);
  const included = lines.filter(({ counts }) => !counts);
  return (
    <section class="card" aria-labelledby="money-title">
      <h2 id="money-title">Money</h2>
      {items.length > 0 && (
        <Table
          caption="Items"
          columns={itemColumns(data, money)}
          rows={items}
          keyOf={({ id }) => id}
        />
      )}
      <dl class="sums" aria-label="Sum">
        {lines
          .filter(({ counts }) => counts)
          .map(({ title, amount }, at) => (
            <Sum key={at} title={<bdi>{title}</bdi>} amount={money(amount)} />
          ))}
        <Sum title={<b>Total</b>} amount={money(order['total'])} />
      </dl>
      <dl class="sums soft" aria-label="Included">
        {included.map(({ title, amount }, at) => (
          <Sum
            key={at}
            title={
              <>
                includes <bdi>{title}</bdi>
              </>
            }
            amount={money(amount)}
          />
        ))}
      </dl>
      <dl class="sums" aria-label="Payments">
        {payments.map(({ id, state, amount, card, reason }) => (
          <Sum
            key={id}
            title={
              <>
                {`Payment ${id}: `}
                <span class={toneOf(state)}>{formatValue(state)}</span>
                {card !== undefined && `, card …${formatValue(card)}`}
              </>
            }
            note={reason === undefined ? undefined : formatValue(reason)}
            amount={money(amount)}
          />
        ))}
      </dl>
    </section>
  );
}

function Sum({
  title,
  amount,
  note,
}: {
  readonly title: ComponentChildren;
  readonly amount: string;
  readonly note?: string | undefined;
}) {
  return (
    <div>
      <dt>
        {title}
        {note !== undefined && (
          <>
            {' '}
            <bdi class="warm">{note}</bdi>
          </>
        )}
      </dt>
      <dd>{amount}</dd>
    </div>
  );
}

function itemColumns(data: OrderData, money: (amount: unknown) => string): readonly Column<Row>[] {
  return [
    { title: 'Item', cell: ({ id }) => <a href={hrefTo('data', 'order_items', id)}>{id}</a> },
    {
      title: 'Variant',
      cell: ({ variant_id: id }) => <Named data={data} table="variants" id={id} />,
    },
    { title: 'Quantity', class: 'num', cell: ({ quantity }) => formatValue(quantity) },
    { title: 'Price', class: 'num roomy', cell: (item) => money(item['unit_price']) },
    { title: 'Total', class: 'num', cell: ({ total }) => money(total) },
  ];
}

/** The shipments of an order, and its units with the transitions of each. */
export function OrderParcels({ data }: PartProps) {
  const shipments = data.tables.get('shipments') ?? [];
  const units = data.tables.get('inventory_units') ?? [];
  if (units.length === 0) return null;
  const loose = units.filter(({ shipment_id: id }) => !shipments.some((one) => one.id === id));
  return (
    <section class="card" aria-labelledby="parcels-title">
      <h2 id="parcels-title">Parcels</h2>
      {shipments.map(({ id, state, method_id: method, stock_location_id: location }) => (
        <div key={id}>
          <a href={hrefTo('data', 'shipments', id)}>{`Shipment ${id}`}</a>{' '}
          <b class={toneOf(state)}>{formatValue(state)}</b>
          {location !== undefined && (
            <>
              {' from '}
              <Named data={data} table="stock_locations" id={location} />
            </>
          )}
          {method !== undefined && (
            <>
              {' by '}
              <Named data={data} table="shipping_methods" id={method} />
            </>
          )}
          <Units data={data} units={units.filter((unit) => unit['shipment_id'] === id)} />
        </div>
      ))}
      {loose.length > 0 && <p class="soft">In no shipment</p>}
      <Units data={data} units={loose} />
    </section>
  );
}

function Units({ data, units }: PartProps & { readonly units: readonly Row[] }) {
  return (
    <ul class="list">
      {units.map(({ id, variant_id: variant, inventory_state: state }) => (
        <li key={id} class="row">
          <span class="grow">
            <a href={hrefTo('data', 'inventory_units', id)}>{`Unit ${id}`}</a>{' '}
            <b class={toneOf(state)}>{formatValue(state)}</b> of{' '}
            <Named data={data} table="variants" id={variant} />
          </span>
          <TransitionButtons
            machine="inventory_unit"
            id={id}
            possible={possibleOf(data, 'inventory_unit', id) ?? []}
          />
        </li>
      ))}
    </ul>
  );
}

/** A link to a record by its name. */
function Named({
  data: { names },
  table,
  id,
}: PartProps & { readonly table: string; readonly id: unknown }) {
  return (
    <a href={hrefTo('data', table, Number(id))}>{names[`${table}/${String(id)}`] ?? String(id)}</a>
  );
}

import type { ComponentChildren } from 'preact';
import { formatMoney, formatValue } from './format.ts';
import { TransitionButtons } from './order-charts.tsx';
import { possibleOf, type OrderData } from './order-data.ts';
import type { Row } from './past.ts';
import { hrefTo } from './route.ts';
import type { Source } from './source.ts';
import { Named } from './table-value.tsx';
import { Table, type Column, type RoomProps } from './ui.tsx';

interface PartProps extends RoomProps {
  readonly data: OrderData;
}

/** Items, adjustments, the total and the payments of an order. */
export function OrderMoney({ source, data: { order, tables } }: PartProps) {
  const currency = formatValue(order['currency']);
  const money = (amount: unknown) => formatMoney(Number(amount), currency);
  const items = tables.get('order_items') ?? [];
  const adjustments = tables.get('adjustments') ?? [];
  const payments = tables.get('payments') ?? [];
  return (
    <section class="card" aria-labelledby="money-title">
      <h2 id="money-title">Money</h2>
      {items.length > 0 && (
        <Table
          caption="Items"
          columns={itemColumns(source, money)}
          rows={items}
          keyOf={({ id }) => id}
        />
      )}
      <dl class="sums">
        <Sum title="Items" amount={money(order['items_total'])} />
        {adjustments.map(({ id, label, description, amount }) => (
          <Sum
            key={id}
            title={`${formatValue(label)} ${formatValue(description ?? '')}`}
            amount={money(amount)}
          />
        ))}
        <Sum title={<b>Total</b>} amount={money(order['total'])} />
        {payments.map(({ id, state, amount, card, reason }) => (
          <Sum
            key={id}
            title={`Payment ${id}: ${formatValue(state)}${card === undefined ? '' : `, card …${formatValue(card)}`}`}
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
        {note !== undefined && <span class="warm">{` ${note}`}</span>}
      </dt>
      <dd>{amount}</dd>
    </div>
  );
}

function itemColumns(source: Source, money: (amount: unknown) => string): readonly Column<Row>[] {
  return [
    { title: 'Item', cell: ({ id }) => <a href={hrefTo('data', 'order_items', id)}>{id}</a> },
    {
      title: 'Variant',
      cell: ({ variant_id: id }) => <Named source={source} table="variants" id={id} />,
    },
    { title: 'Quantity', class: 'num', cell: ({ quantity }) => formatValue(quantity) },
    { title: 'Price', class: 'num roomy', cell: (item) => money(item['unit_price']) },
    { title: 'Total', class: 'num', cell: ({ total }) => money(total) },
  ];
}

/** The shipments of an order, and its units with the transitions of each. */
export function OrderParcels({ source, data }: PartProps) {
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
          <b>{formatValue(state)}</b>
          {location !== undefined && (
            <>
              {' from '}
              <Named source={source} table="stock_locations" id={location} />
            </>
          )}
          {method !== undefined && (
            <>
              {' by '}
              <Named source={source} table="shipping_methods" id={method} />
            </>
          )}
          <Units
            source={source}
            data={data}
            units={units.filter((unit) => unit['shipment_id'] === id)}
          />
        </div>
      ))}
      {loose.length > 0 && <p class="soft">In no shipment</p>}
      <Units source={source} data={data} units={loose} />
    </section>
  );
}

function Units({ source, data, units }: PartProps & { readonly units: readonly Row[] }) {
  return (
    <ul class="list">
      {units.map(({ id, variant_id: variant, inventory_state: state }) => (
        <li key={id} class="row">
          <span class="grow">
            <a href={hrefTo('data', 'inventory_units', id)}>{`Unit ${id}`}</a>{' '}
            <b>{formatValue(state)}</b> of <Named source={source} table="variants" id={variant} />
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

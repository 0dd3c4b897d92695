import type { ComponentChildren } from 'preact';
import { RecordState } from '../../explained-value.tsx';
import { formatValue } from '../../format.ts';
import { Coupons } from './coupons.tsx';
import { moneyLines } from './money.ts';
import { TransitionButtons } from './journey.tsx';
import type { OrderData } from './order-data.ts';
import type { Row } from '../../rewind-effects.ts';
import { hrefTo } from '../../route.ts';
import { Table, type Column } from '../../ui.tsx';

interface PartProps {
  readonly data: OrderData;
}

/** Shows an amount of an order by its name. It is a button that shows why it is so; `about` names the record of its line. */
export type ShowAmount = (of: string, amount: unknown, about?: string) => ComponentChildren;

/** Items, adjustments, the total and the payments of an order. */
export function OrderMoney({ data, show }: PartProps & { readonly show: ShowAmount }) {
  const { order, tables } = data;
  const items = tables.get('order_items') ?? [];
  const payments = tables.get('payments') ?? [];
  const lines = moneyLines(order, tables.get('adjustments') ?? [], data.names);
  const included = lines.filter(({ counts }) => !counts);
  return (
    <section class="card" aria-labelledby="money-title">
      <h2 id="money-title">Money</h2>
      {items.length > 0 && (
        <Table
          caption="Items"
          columns={itemColumns(data, show)}
          rows={items}
          keyOf={({ id }) => id}
        />
      )}
      <dl class="sums" aria-label="Sum">
        {lines
          .filter(({ counts }) => counts)
          .map(({ title, amount, record }, at) => (
            <Sum key={at} title={<bdi>{title}</bdi>} amount={show(title, amount, record)} />
          ))}
        <Sum title={<b>Total</b>} amount={show('total', order['total'])} />
      </dl>
      <dl class="sums soft" aria-label="Included">
        {included.map(({ title, amount, record }, at) => (
          <Sum
            key={at}
            title={
              <>
                includes <bdi>{title}</bdi>
              </>
            }
            amount={show(title, amount, record)}
          />
        ))}
      </dl>
      <Coupons data={data} />
      <dl class="sums" aria-label="Payments">
        {payments.map(({ id, state, amount, card, reason }) => (
          <Sum
            key={id}
            title={
              <>
                {`Payment ${id}: `}
                <RecordState machine="payment" id={id} state={state} />
                {card !== undefined && `, card …${formatValue(card)}`}
              </>
            }
            note={reason}
            amount={show(`payment ${id}`, amount)}
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
  readonly amount: ComponentChildren;
  readonly note?: unknown;
}) {
  return (
    <div>
      <dt>
        {title} {note !== undefined && <bdi class="warn">{formatValue(note)}</bdi>}
      </dt>
      <dd>{amount}</dd>
    </div>
  );
}

function itemColumns(data: OrderData, show: ShowAmount): readonly Column<Row>[] {
  const amount = (name: string, { id, [name]: value }: Row) =>
    show(`${name} of item ${id}`, value, `order_items/${id}`);
  return [
    { title: 'Item', cell: ({ id }) => <a href={hrefTo('data', 'order_items', id)}>{id}</a> },
    {
      title: 'Product',
      class: 'wide',
      cell: ({ variant_id: id }) => (
        <>
          <bdi>{data.names[`variants/${String(id)}/product`]}</bdi> {named(data, 'variants', id)}
        </>
      ),
    },
    { title: 'Quantity', class: 'num', cell: ({ quantity }) => formatValue(quantity) },
    { title: 'Price', class: 'num roomy', cell: (item) => amount('unit_price', item) },
    { title: 'Total', class: 'num', cell: (item) => amount('total', item) },
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
          <RecordState machine="shipment" id={id} state={state} />
          {location !== undefined && <> from {named(data, 'stock_locations', location)}</>}
          {method !== undefined && <> by {named(data, 'shipping_methods', method)}</>}
          {unitList(
            data,
            units.filter((unit) => unit['shipment_id'] === id),
          )}
        </div>
      ))}
      {loose.length > 0 && <p class="soft">In no shipment</p>}
      {unitList(data, loose)}
    </section>
  );
}

function unitList(data: OrderData, units: readonly Row[]) {
  return (
    <ul class="list">
      {units.map(({ id, variant_id: variant, inventory_state: state }) => (
        <li key={id} class="row">
          <span class="grow">
            <a href={hrefTo('data', 'inventory_units', id)}>{`Unit ${id}`}</a>{' '}
            <RecordState machine="inventory_unit" id={id} state={state} /> of{' '}
            {named(data, 'variants', variant)}
          </span>
          <TransitionButtons data={data} machine="inventory_unit" id={id} />
        </li>
      ))}
    </ul>
  );
}

/** A link to a record by its name. */
function named({ names }: OrderData, table: string, id: unknown) {
  const text = String(id);
  return <a href={hrefTo('data', table, text)}>{names[`${table}/${text}`] ?? text}</a>;
}

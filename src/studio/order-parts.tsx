import { formatMoney, formatValue } from './format.ts';
import type { OrderData } from './order-data.ts';
import type { Row } from './past.ts';
import { hrefTo } from './route.ts';
import { Table, type Column } from './ui.tsx';

interface PartProps {
  readonly data: OrderData;
}

/** Items, adjustments, the total and the payments of an order. */
export function OrderMoney({ data: { order, tables } }: PartProps) {
  const currency = formatValue(order['currency']);
  const money = (amount: unknown) => formatMoney(Number(amount), currency);
  const items = tables.get('order_items') ?? [];
  const adjustments = tables.get('adjustments') ?? [];
  const payments = tables.get('payments') ?? [];
  return (
    <section class="card" aria-labelledby="money-title">
      <h2 id="money-title">Money</h2>
      {items.length > 0 && (
        <Table caption="Items" columns={itemColumns(money)} rows={items} keyOf={({ id }) => id} />
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
        <Sum title="Total" amount={money(order['total'])} />
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
  readonly title: string;
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

function itemColumns(money: (amount: unknown) => string): readonly Column<Row>[] {
  return [
    { title: 'Item', cell: ({ id }) => <a href={hrefTo('data', 'order_items', id)}>{id}</a> },
    {
      title: 'Variant',
      cell: ({ variant_id: id }) => (
        <a href={hrefTo('data', 'variants', Number(id))}>{formatValue(id)}</a>
      ),
    },
    { title: 'Quantity', class: 'num', cell: ({ quantity }) => formatValue(quantity) },
    { title: 'Price', class: 'num', cell: (item) => money(item['unit_price']) },
    { title: 'Total', class: 'num', cell: ({ total }) => money(total) },
  ];
}

/** The shipments of an order with their units. */
export function OrderParcels({ data: { tables } }: PartProps) {
  const shipments = tables.get('shipments') ?? [];
  if (shipments.length === 0) return null;
  const units = tables.get('inventory_units') ?? [];
  return (
    <section class="card" aria-labelledby="parcels-title">
      <h2 id="parcels-title">Parcels</h2>
      <ul class="list">
        {shipments.map(({ id, state, method_id: method, stock_location_id: location }) => (
          <li key={id}>
            <a href={hrefTo('data', 'shipments', id)}>{`Shipment ${id}`}</a>{' '}
            <b>{formatValue(state)}</b>
            <span class="soft">
              {`, ${unitsIn(units, id)}`}
              {location !== undefined && (
                <>
                  {' from '}
                  <a href={hrefTo('data', 'stock_locations', Number(location))}>
                    {`location ${formatValue(location)}`}
                  </a>
                </>
              )}
              {method !== undefined && (
                <>
                  {' by '}
                  <a href={hrefTo('data', 'shipping_methods', Number(method))}>
                    {`method ${formatValue(method)}`}
                  </a>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `2 units: 1 sold, 1 backordered`. */
function unitsIn(units: readonly Row[], shipment: number): string {
  const own = units.filter((unit) => unit['shipment_id'] === shipment);
  const byState = Map.groupBy(own, (unit) => formatValue(unit['inventory_state']));
  const parts = [...byState].map(([state, list]) => `${list.length} ${state}`);
  return `${own.length} ${own.length === 1 ? 'unit' : 'units'}: ${parts.join(', ')}`;
}

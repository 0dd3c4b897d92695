import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { AskButton, RecordState, Why } from '../../../engine/studio/ask.tsx';
import { formatValue } from '../../../engine/studio/format.ts';
import { formatMoney } from '../money.ts';
import { Coupons } from './coupons.tsx';
import { moneyLines } from './money.ts';
import { TransitionButtons } from './journey.tsx';
import { possibleOf, type OrderData } from './order-data.ts';
import { preview, type Row } from '../../../engine/studio/past.ts';
import { hrefTo } from '../../../engine/studio/route.ts';
import { Table, type Column } from '../../../engine/studio/ui.tsx';

interface PartProps {
  readonly data: OrderData;
}

/** The amount that is asked, the record that it is about, and the button that has it. */
const asked = signal<
  | {
      readonly order: number;
      readonly of: string;
      readonly about: string | undefined;
      readonly opener: HTMLElement;
    }
  | undefined
>(undefined);

/** An amount of an order. It shows why it is so, below the money of the order. */
export function Amount({
  data: { id: order, order: row },
  of,
  about,
  amount,
}: PartProps & {
  readonly of: string;
  readonly about?: string | undefined;
  readonly amount: unknown;
}) {
  const isOpen = asked.value?.order === order && asked.value.of === of;
  return (
    <AskButton
      of={`${of} of order ${order}`}
      isOpen={isOpen}
      onClick={({ currentTarget: opener }) => {
        asked.value = isOpen ? undefined : { order, of, about, opener };
      }}
    >
      {formatMoney(Number(amount), formatValue(row['currency']))}
    </AskButton>
  );
}

/** Why an order has its total, once one of its amounts is asked. */
export function AmountReasons({ data: { id } }: PartProps) {
  const { order, of = '', about, opener } = asked.value ?? {};
  if (order !== id || preview.value !== undefined) return null;
  const close = () => {
    asked.value = undefined;
    opener?.focus();
  };
  return (
    <div class="card">
      <Why path={`orders/${id}`} of={`${of} of order ${id}`} about={about} onClose={close} />
    </div>
  );
}

/** Items, adjustments, the total and the payments of an order. */
export function OrderMoney({ data }: PartProps) {
  const { order, tables } = data;
  const items = tables.get('order_items') ?? [];
  const payments = tables.get('payments') ?? [];
  const lines = moneyLines(order, tables.get('adjustments') ?? []);
  const included = lines.filter(({ counts }) => !counts);
  return (
    <section class="card" aria-labelledby="money-title">
      <h2 id="money-title">Money</h2>
      {items.length > 0 && (
        <Table caption="Items" columns={itemColumns(data)} rows={items} keyOf={({ id }) => id} />
      )}
      <dl class="sums" aria-label="Sum">
        {lines
          .filter(({ counts }) => counts)
          .map(({ title, amount, record }, at) => (
            <Sum key={at} title={<bdi>{title}</bdi>}>
              <Amount data={data} of={title} about={record} amount={amount} />
            </Sum>
          ))}
        <Sum title={<b>Total</b>}>
          <Amount data={data} of="total" amount={order['total']} />
        </Sum>
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
          >
            <Amount data={data} of={title} about={record} amount={amount} />
          </Sum>
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
            note={reason === undefined ? undefined : formatValue(reason)}
          >
            <Amount data={data} of={`payment ${id}`} amount={amount} />
          </Sum>
        ))}
      </dl>
    </section>
  );
}

function Sum({
  title,
  children,
  note,
}: {
  readonly title: ComponentChildren;
  /** The amount. */
  readonly children: ComponentChildren;
  readonly note?: string | undefined;
}) {
  return (
    <div>
      <dt>
        {title}
        {note !== undefined && (
          <>
            {' '}
            <bdi class="warn">{note}</bdi>
          </>
        )}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function itemColumns(data: OrderData): readonly Column<Row>[] {
  const amount = (name: string, { id, [name]: value }: Row) => (
    <Amount data={data} of={`${name} of item ${id}`} about={`order_items/${id}`} amount={value} />
  );
  return [
    { title: 'Item', cell: ({ id }) => <a href={hrefTo('data', 'order_items', id)}>{id}</a> },
    {
      title: 'Product',
      class: 'wide',
      cell: ({ variant_id: id }) => (
        <>
          <bdi>{data.names[`variants/${String(id)}/product`]}</bdi>{' '}
          <Named data={data} table="variants" id={id} />
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
            <RecordState machine="inventory_unit" id={id} state={state} /> of{' '}
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

import { orderText } from '../../../shop/explain/explanation-text.ts';
import { RecordState } from '../../explained-value.tsx';
import { formatValue } from '../../format.ts';
import { Coupons } from './coupons.tsx';
import { TransitionButtons } from './journey.tsx';
import type { OrderData } from './order-data.ts';
import type { Row } from '../../rewind-effects.ts';
import { hrefTo } from '../../route.ts';
import { formatMoney } from '../money.ts';
import { CopyButton } from '../../ui.tsx';
import { OrderWhy } from '../why/order-why.tsx';

interface PartProps {
  readonly data: OrderData;
}

/** What an order costs and why: its total, its coupons and its payments. */
export function OrderMoney({ data }: PartProps) {
  const { order, tables, id, why } = data;
  return (
    <section class="card" id="money" tabIndex={-1} aria-labelledby="money-title">
      {why !== undefined && (
        <OrderWhy key={id} explanation={why}>
          <h2 id="money-title" class="grow">
            Money
          </h2>
          <CopyButton of={`reasons: total of order ${id}`} text={orderText(why)}>
            Copy
          </CopyButton>
        </OrderWhy>
      )}
      <Coupons data={data} />
      <dl class="sums" aria-label="Payments">
        {tables.get('payments')?.map((payment) => (
          <div key={payment.id}>
            <dt>
              {`Payment ${payment.id}: `}
              <RecordState machine="payment" id={payment.id} state={payment['state']} />
              {payment['card'] !== undefined && `, card …${formatValue(payment['card'])}`}{' '}
              <bdi class="warn">{formatValue(payment['reason'] ?? '')}</bdi>
            </dt>
            <dd>{formatMoney(Number(payment['amount']), formatValue(order['currency']))}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
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

import type { ComponentChildren } from 'preact';
import type { OrdersPage } from '../../shop/control/shop.ts';
import { hrefTo } from '../route.ts';
import { useStudio } from '../studio.ts';
import { toneOf } from '../tones.ts';
import { Time, useLast, useLoaded } from '../ui.tsx';
import { formatMoney } from './money.ts';

/** Lists the orders that were changed last, with `children` below them once they are loaded. */
export function Latest({ children }: { readonly children?: ComponentChildren }) {
  const studio = useStudio();
  const { body, error } = useLoaded<OrdersPage['orders']>('GET /_backlot/orders?limit=5');
  const orders = useLast(body);
  if (orders === undefined) return error === undefined ? null : children;
  return (
    <>
      {orders.length > 0 && (
        <section class="card">
          <h2>Last orders</h2>
          <ul class="list">
            {orders.map(({ id, total, currency, state, updated_at: at }) => (
              <li key={id} class="row">
                <Time at={at} />
                <a href={hrefTo('orders', id)}>order {id}</a>
                <span class={`grow ${toneOf(studio, state) ?? 'soft'}`}>{state}</span>
                <span>{formatMoney(total, currency)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {children}
    </>
  );
}

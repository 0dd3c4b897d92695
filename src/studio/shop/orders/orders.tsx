import { useState } from 'preact/hooks';
import { askedText, Why } from '../../explained-value.tsx';
import type { OrdersPage } from '../../../shop/control/shop.ts';
import { layouts } from './chart-layouts.ts';
import { Order } from './order.tsx';
import { formatMoney } from '../money.ts';
import { Input, Select, useText } from '../../form.tsx';
import { Pages, pageSize } from '../../pages.tsx';
import { hrefTo } from '../../route.ts';
import { toneOf } from '../../tones.ts';
import { Empty, Table, Time, useLast, useLoaded, type Column } from '../../ui.tsx';
import { useStudio, type Studio } from '../../studio.ts';
import type { WhyProps } from '../../why/reasons.ts';

type ListedOrder = OrdersPage['orders'][number];

const states = ['', ...Object.keys(layouts['order'] ?? {})];

/** The order of the route, or the list of all. */
export function Orders() {
  const studio = useStudio();
  return studio.router.route.value.path.length > 0 ? <Order /> : <OrderList />;
}

/** The orders, most recently changed first, or those of a state or that a text finds. */
function OrderList() {
  const studio = useStudio();
  const { query } = studio.router.route.value;
  const state = query.get('state') ?? '';
  const find = query.get('find') ?? '';
  const page = Number(query.get('page') ?? 1);
  const search = [`limit=${pageSize}`, `page=${page}`];
  if (state !== '') search.push(`state=${state}`);
  if (find !== '') search.push(`find=${encodeURIComponent(find)}`);
  const { body } = useLoaded<OrdersPage>(`GET /_backlot/orders?${search.join('&')}`);
  const { orders, total } = useLast(body) ?? {};
  const [asked, setAsked] = useState<AskedOrder>();
  const onAsk = (one: AskedOrder) => setAsked(one.of === asked?.of ? undefined : one);
  return (
    <section class="card" aria-labelledby="orders-title">
      <div class="head">
        <h1 id="orders-title">Orders</h1>
        <Find find={find} />
        <Select
          label="State"
          value={state}
          values={states}
          titles={{ '': 'any state' }}
          onValue={(one) =>
            studio.router.go(studio.router.hrefWith({ state: one, page: undefined }))
          }
        />
      </div>
      {orders?.length === 0 && <Empty>There are no such orders.</Empty>}
      {orders !== undefined && orders.length > 0 && (
        <Table
          caption="Orders"
          columns={columnsOf(studio, asked, onAsk)}
          rows={orders}
          keyOf={({ id }) => id}
          below={({ id }) => asked?.id === id && <Why key={asked.of} {...asked} />}
        />
      )}
      {total !== undefined && <Pages page={page} total={total} name="orders" />}
    </section>
  );
}

function Find({ find }: { readonly find: string }) {
  const studio = useStudio();
  const text = useText(find);
  const submit = (event: Event) => {
    event.preventDefault();
    const isId = /^[1-9]\d{0,7}$/.test(text.value);
    studio.router.go(
      isId
        ? hrefTo('orders', text.value)
        : studio.router.hrefWith({ find: text.value, page: undefined }),
    );
  };
  return (
    <form role="search" onSubmit={submit} class="grow row">
      <Input
        type="search"
        class="grow"
        label="Id, number, e-mail or name of an order"
        hint="id, number, e-mail or name"
        {...text}
      />
      <button type="submit">Find</button>
    </form>
  );
}

/** A value of an order that is explained below its row. */
interface AskedOrder extends WhyProps {
  readonly id: number;
}

const columnsOf = (
  studio: Studio,
  asked: AskedOrder | undefined,
  onAsk: (one: AskedOrder) => void,
): readonly Column<ListedOrder>[] => {
  const ask = (one: AskedOrder, value: string, tone = '') => (
    <button
      type="button"
      class={`ask ${tone}`}
      title="Why?"
      aria-expanded={asked?.of === one.of}
      onClick={() => onAsk(one)}
    >
      {askedText(value, one.of)}
    </button>
  );
  return [
    { title: 'Order', cell: ({ id }) => <a href={hrefTo('orders', id)}>{id}</a> },
    { title: 'Customer', class: 'wide', cell: ({ email }) => <bdi>{email}</bdi> },
    {
      title: 'Total',
      class: 'num',
      cell: ({ id, total, currency }) =>
        ask({ id, path: `orders/${id}`, of: `total of order ${id}` }, formatMoney(total, currency)),
    },
    {
      title: 'State',
      cell: ({ id, state }) =>
        ask(
          { id, path: `transitions/order/${id}`, of: `order ${id}` },
          state,
          toneOf(studio, state),
        ),
    },
    { title: 'Changed', class: 'roomy', cell: ({ updated_at: at }) => <Time at={at} /> },
  ];
};

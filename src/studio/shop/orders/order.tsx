import type { ComponentChildren, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { askedText } from '../../explained-value.tsx';
import { formatMoney } from '../money.ts';
import { OpenedEntry } from '../../opened-entry.tsx';
import { EntryLine } from '../../activity/entry-line.tsx';
import { parseFilter, passes } from '../../filter.ts';
import { Input, useText } from '../../form.tsx';
import { timeTo } from '../../duration-text.ts';
import { formatTime, formatValue } from '../../format.ts';
import { LostChanges, unchangedText } from '../../lost-changes.tsx';
import { useOrder, useShown, type OrderData } from './order-data.ts';
import { Journey } from './journey.tsx';
import { OrderMoney, OrderParcels } from './order-parts.tsx';
import { Rail } from './rail.tsx';
import { hrefTo } from '../../route.ts';
import { rootOf } from '../../scroller.ts';
import { toneOf } from '../../tones.ts';
import { Empty, Time } from '../../ui.tsx';
import { useStudio } from '../../studio.ts';

/** One order: its steps, its states and the way to them, money, parcels, and what touched it. */
export function Order() {
  const studio = useStudio();
  const id = Number(studio.router.route.value.path[0]);
  const loaded = useOrder(id);
  if (typeof loaded === 'string')
    return missing(
      id,
      <>
        {loaded} <a href={hrefTo('orders')}>All orders</a>
      </>,
    );
  if (loaded === undefined) return <p class="card" aria-busy="true">{`Order ${id}`}</p>;
  return (
    <div class="order">
      <div class="stack">
        <State key={id} present={loaded} />
      </div>
      <Touched data={loaded} />
    </div>
  );
}

function missing(id: number, text: ComponentChildren) {
  return (
    <section class="card">
      <h1>{`Order ${id}`}</h1>
      <Empty>{text}</Empty>
    </section>
  );
}

/** The order at the shown position of the time line. */
function State({ present }: { readonly present: OrderData }) {
  const data = useShown(present);
  if (typeof data === 'string') return missing(present.id, data);
  return (
    <>
      <section class="card" aria-labelledby="order-title">
        <Title data={data} />
        <Rail data={data} />
        <Journey data={data} />
      </section>
      <OrderMoney data={data} />
      <OrderParcels data={data} />
    </>
  );
}

/** The summary of an order: its state, its total, its customer and its time. */
function Title({ data }: { readonly data: OrderData }) {
  const studio = useStudio();
  const { names, order } = data;
  const {
    id,
    number,
    email,
    total,
    currency,
    state,
    user_id: user,
    shipping_address_id: address,
  } = order;
  const { completed_at: placed, created_at: created, expires_at: expires } = order;
  const known = names[`orders/${id}`];
  const amount = formatMoney(Number(total), formatValue(currency));
  return (
    <>
      <div class="head">
        <h1 id="order-title">{`Order ${id}`}</h1>
        <span class={`pill ${toneOf(studio, state) ?? ''}`}>{formatValue(state)}</span>
        <span class="soft grow">{typeof number === 'string' && number}</span>
        <span class="figure">
          {studio.preview.shown.value !== undefined ? (
            amount
          ) : (
            <button type="button" class="ask" title="Why?" onClick={showMoney}>
              {askedText(amount, `total of order ${id}`)}
            </button>
          )}
        </span>
      </div>
      <dl class="about-order">
        {fact(
          'Customer',
          <>
            <a href={hrefTo('data', 'users', Number(user ?? 0))}>
              {names[`users/${formatValue(user)}`] ?? formatValue(email)}
            </a>{' '}
            <bdi class="soft">{formatValue(email)}</bdi>
          </>,
        )}
        {address !== undefined &&
          fact(
            'Ships to',
            <a href={hrefTo('data', 'addresses', Number(address))}>
              {names[`addresses/${formatValue(address)}`] ?? formatValue(address)}
            </a>,
          )}
        {fact(
          placed === undefined ? 'Created' : 'Placed',
          <Time at={formatValue(placed ?? created)} />,
        )}
        {state === 'cart' && fact('Expires', timeLeft(data.now, formatValue(expires)))}
        {known !== undefined && fact('Known to clients as', <code>{known}</code>)}
        {fact('Record', <a href={hrefTo('data', 'orders', id)}>all fields</a>)}
      </dl>
    </>
  );
}

function showMoney({ currentTarget }: TargetedEvent<HTMLElement>): void {
  const money = rootOf(currentTarget).querySelector<HTMLElement>('#money');
  money?.scrollIntoView();
  money?.focus({ preventScroll: true });
}

function fact(title: string, content: ComponentChildren) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{content}</dd>
    </div>
  );
}

/** `in 2 h 20 min`, `20 min ago` */
function timeLeft(now: string, until: string) {
  return (
    <time class="warn" dateTime={until} title={formatTime(until)}>
      {timeTo(now, until)}
    </time>
  );
}

/** The entries that changed the order or that name it, newest first. */
function Touched({ data }: { readonly data: OrderData }) {
  const studio = useStudio();
  const [open, setOpen] = useState(0);
  const text = useText();
  const filter = parseFilter(studio, text.value);
  const changes = new Map(data.entries.map((entry) => [entry.id, entry.records]));
  const about = new Set(
    [...data.tables].flatMap(([table, rows]) => rows.map(({ id }) => `${table}/${id}`)),
  );
  const shown = data.touched.filter((entry) => passes(filter, changes, entry)).toReversed();
  return (
    <section class="card touched" aria-labelledby="touched-title">
      <div class="head">
        <h2 id="touched-title">What touched it</h2>
        <Input
          type="search"
          class="grow"
          label={`Filter what touched order ${data.id}`}
          hint="Filter: is:rejected step:purchase"
          {...text}
        />
      </div>
      {filter.issue !== undefined && <p class="warn">{filter.issue}</p>}
      {shown.length === 0 && (
        <Empty>
          {text.value === ''
            ? unchangedText(
                studio,
                data.changesFrom,
                'Nothing yet: the order is as its scenario has it.',
              )
            : 'No entry passes the filter.'}
        </Empty>
      )}
      <ul class="tall">
        {shown.slice(0, 200).map((entry) => (
          <li key={entry.id}>
            <EntryLine
              entry={entry}
              isOpen={entry.id === open}
              onToggle={(id) => setOpen(id === open ? 0 : id)}
            />
            {entry.id === open && <OpenedEntry entry={entry} about={about} />}
          </li>
        ))}
      </ul>
      <LostChanges changesFrom={data.changesFrom} />
    </section>
  );
}

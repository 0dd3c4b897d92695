import { useState } from 'preact/hooks';
import type { Line, OrderExplanation } from '../../../shop/explain/explanation.ts';
import { Form, TextField } from '../../form.tsx';
import { formatMoney } from '../money.ts';
import { addCouponTo } from './add-coupon.tsx';
import { hrefTo } from '../../route.ts';
import { Table, useAsync, type Column } from '../../ui.tsx';
import { Facts } from '../../why/facts.tsx';
import { useStudio } from '../../studio.ts';

/** Asks for the order to compare with: at first, the one that was changed last. */
export function CompareForm({
  order,
  onCompare,
}: {
  readonly order: number;
  readonly onCompare: (other: number) => void;
}) {
  const studio = useStudio();
  const [text, onValue] = useState<string>();
  const latest = useAsync(async () => {
    const orders = await studio.client.peek<readonly { readonly id: number }[]>(
      'GET /_backlot/orders?limit=2',
    );
    return orders?.find(({ id }) => id !== order)?.id;
  }, [order]);
  const chosen = text ?? String(latest ?? '');
  return (
    <Form
      label={`Compare order ${order}`}
      submit="Compare"
      of={`order ${order} with order ${chosen}`}
      onSubmit={() => onCompare(Number(chosen))}
    >
      <TextField
        label="Compare with order"
        inputMode="numeric"
        required
        value={chosen}
        onValue={onValue}
      />
    </Form>
  );
}

/** A line of two orders. */
interface Joined {
  readonly key: string;
  readonly label: string;
  readonly one: Line | undefined;
  readonly other: Line | undefined;
}

/** The total of an order in addition to that of another one, line by line. */
export function Compared({
  one,
  other: id,
}: {
  readonly one: OrderExplanation;
  readonly other: number;
}) {
  const studio = useStudio();
  const other = useAsync(
    () => studio.client.read<OrderExplanation>(`GET /_backlot/orders/${id}/why`),
    [id, studio.shop.revision.value],
  );
  if (other === undefined) return null;
  return (
    <div class="compared">
      <Table
        caption={`Order ${one.order} beside order ${other.order}`}
        columns={[
          { title: 'Line', cell: ({ label }) => <bdi>{label}</bdi> },
          columnOf('one', one),
          columnOf('other', other),
        ]}
        rows={joinLines(one.lines, other.lines)}
        keyOf={({ key }) => key}
      />
      <p>
        {'Total '}
        <b>{formatMoney(one.total, one.currency)}</b>
        {' beside '}
        <b>{formatMoney(other.total, other.currency)}</b>
        {' of '}
        <a href={hrefTo('orders', other.order)}>{`order ${other.order}`}</a>
      </p>
    </div>
  );
}

function columnOf(name: 'one' | 'other', { order, currency }: OrderExplanation): Column<Joined> {
  return {
    title: `Order ${order}`,
    class: 'num',
    cell({ [name]: line }) {
      if (line === undefined) return <span class="soft">none</span>;
      const { applied, counts, amount, because, label } = line;
      if (applied)
        return counts ? formatMoney(amount, currency) : `(${formatMoney(amount, currency)})`;
      const unmet = because.filter(({ met }) => !met);
      return <Facts facts={unmet} actionOf={addCouponTo(order)} of={label} />;
    },
  };
}

/** Joins two lists of lines: by promotion, else by kind and label. */
function joinLines(ones: readonly Line[], others: readonly Line[]): Joined[] {
  const [one, other] = [byKey(ones), byKey(others)];
  return [...new Set([...one.keys(), ...other.keys()])].map((key) => ({
    key,
    label: (one.get(key) ?? other.get(key))!.label,
    one: one.get(key),
    other: other.get(key),
  }));
}

function byKey(lines: readonly Line[]): Map<string, Line> {
  const counts = new Map<string, number>();
  return new Map(
    lines.map((line) => {
      const rule = line.promotion ?? line.label;
      const same = `${line.kind === 'gift' ? 'gift' : ''} ${rule}`;
      const at = counts.get(same) ?? 0;
      counts.set(same, at + 1);
      return [`${same} ${at}`, line] as const;
    }),
  );
}

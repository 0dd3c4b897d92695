import { useState } from 'preact/hooks';
import type { Line, OrderExplanation, TotalLines } from '../../../shop/office/explanation.ts';
import { Form, TextField, useText } from '../../form.tsx';
import { formatMoney } from '../money.ts';
import { addCouponTo } from './add-coupon.tsx';
import { Button, Disclosure, Table, useAsync, type Column } from '../../ui.tsx';
import { Facts } from '../../why/facts.tsx';
import { useStudio } from '../../studio.ts';

/** A total to compare with. */
interface OtherTotal extends TotalLines {
  readonly title: string;
  readonly order: number;
  readonly currency: string;
}

/** A comparison: the other total, undefined without one, and the function that chooses it. */
type Comparison = ReturnType<typeof useComparison>;

/** Compares an order with `now`, with another order (`105`), or with itself after an entry (`#7`). */
export function useComparison({ order, currency, now }: OrderExplanation) {
  const studio = useStudio();
  const [chosen, choose] = useState('');
  const loaded = useAsync(async (): Promise<OtherTotal | undefined> => {
    if (chosen === '' || chosen === 'now') return undefined;
    const [, sign = '', id = ''] = /(#?)(?<!\d)(\d+)$/.exec(chosen) ?? [];
    const path = sign === '' ? `orders/${id}/why` : `orders/${order}/why?at=${id}`;
    const other = await studio.client.read<OrderExplanation>(`GET /_backlot/${path}`);
    return other && { ...other, title: sign === '' ? `Order ${id}` : `After #${id}` };
  }, [chosen, order, studio.shop.revision.value]);
  const other: OtherTotal | undefined =
    chosen === 'now' && now !== undefined ? { ...now, title: 'Now', order, currency } : loaded;
  return { other: chosen === '' ? undefined : other, choose };
}

/** Asks what to compare an order with. */
export function CompareForm({
  explanation: { order, currency, now },
  other,
  choose,
}: Comparison & { readonly explanation: OrderExplanation }) {
  const text = useText();
  return (
    <>
      {now !== undefined && (
        <Button of={`order ${order}`} onClick={() => choose('now')}>
          {`Now it would be ${formatMoney(now.total, currency)}`}
        </Button>
      )}
      {other !== undefined && (
        <Button kind="quiet" of="comparison" onClick={() => choose('')}>
          Close
        </Button>
      )}
      <Form
        label={`Compare order ${order}`}
        submit="Compare"
        of={`order ${order}`}
        onSubmit={() => choose(text.value.trim())}
      >
        <TextField
          label={`Compare order ${order} with another order, or with itself after an entry`}
          isPlain
          hint="another order, or #7"
          required
          {...text}
        />
      </Form>
    </>
  );
}

/** A line of two totals: in the first, in the second. */
interface Joined {
  readonly key: string;
  readonly lines: readonly [Line | undefined, Line | undefined];
  /** The second amount less the first, as far as they are part of the totals. */
  readonly difference: number;
}

/** The total of an order beside another one, line by line, the largest difference first. */
export function Compared({
  one,
  other,
}: {
  readonly one: OrderExplanation;
  readonly other: OtherTotal;
}) {
  const joined = joinLines(one, other);
  const differing = joined.filter(({ lines: [first, second] }) => textOf(first) !== textOf(second));
  const same = joined.filter((line) => !differing.includes(line));
  const columns: readonly Column<Joined>[] = [
    {
      title: 'Line',
      class: 'wide',
      cell: ({ lines }) =>
        labelOf(lines, [
          { title: `Order ${one.order}`, order: one.order },
          { title: other.title, order: other.order },
        ]),
    },
    {
      title: `Order ${one.order}, ${one.currency}`,
      class: 'num',
      cell: ({ lines: [line] }) => textOf(line, one.currency),
    },
    {
      title: `${other.title}, ${other.currency}`,
      class: 'num',
      cell: ({ lines: [, line] }) => textOf(line, other.currency),
    },
    {
      title: `${other.title} less order ${one.order}`,
      class: 'num',
      cell: ({ difference }) =>
        difference !== 0 &&
        one.currency === other.currency && (
          <b>{`${difference > 0 ? '+' : ''}${amountOf(difference, one.currency)}`}</b>
        ),
    },
  ];
  const tableOf = (caption: string, rows: readonly Joined[]) => (
    <Table caption={caption} columns={columns} rows={rows} keyOf={({ key }) => key} />
  );
  return (
    <div class="compared">
      {tableOf(`Order ${one.order} beside ${other.title}`, [
        ...differing,
        {
          key: 'total',
          lines: [totalLine(one.total), totalLine(other.total)],
          difference: other.total - one.total,
        },
      ])}
      {same.length > 0 && (
        <Disclosure title={`${same.length} do not differ`}>
          {tableOf('Lines that do not differ', same)}
        </Disclosure>
      )}
    </div>
  );
}

function totalLine(amount: number): Line {
  const shown = { amount, running: amount, counts: true, applied: true };
  return { kind: 'other', label: 'Total', ...shown, because: [] };
}

/** The name of a line, and if it does not apply in one of the totals, the first thing that this one lacks. */
function labelOf(lines: Joined['lines'], totals: readonly Pick<OtherTotal, 'title' | 'order'>[]) {
  const idle = lines.findIndex((line) => line?.applied === false);
  const lacking = lines[idle]?.because.find(({ met }) => !met);
  const [label = ''] = lines.flatMap((line) => line?.label ?? []);
  const { title = '', order = 0 } = totals[idle] ?? {};
  return (
    <>
      <bdi>{label}</bdi>
      {lacking !== undefined && (
        <div class="row soft">
          {`${title}: `}
          <Facts facts={[lacking]} actionOf={addCouponTo(order)} of={label} />
        </div>
      )}
    </>
  );
}

/** The amount of a line that applies, in brackets if it is no part of the total. */
function textOf(line: Line | undefined, currency?: string): string {
  if (line?.applied !== true) return '–';
  const amount = amountOf(line.amount, currency);
  return line.counts ? amount : `(${amount})`;
}

/** An amount without its currency, which its column has. */
function amountOf(amount: number, currency?: string): string {
  return formatMoney(amount, currency).replace(` ${currency}`, '');
}

/** Joins the lines of two totals: by promotion, else by kind and label. Those that differ most come first. */
function joinLines(one: OrderExplanation, other: OtherTotal): Joined[] {
  const [ones, others] = [byKey(one.lines), byKey(other.lines)];
  return [...new Set([...ones.keys(), ...others.keys()])]
    .map((key): Joined => {
      const lines = [ones.get(key), others.get(key)] as const;
      return { key, lines, difference: partOf(lines[1]) - partOf(lines[0]) };
    })
    .toSorted((first, second) => Math.abs(second.difference) - Math.abs(first.difference));
}

/** The amount of a line as far as it is part of its total. */
function partOf(line: Line | undefined): number {
  return line?.applied === true && line.counts ? line.amount : 0;
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

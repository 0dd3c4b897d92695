import {
  entryText as textOfEntry,
  factLines,
  plain,
  type Paint,
} from '../../engine/definition/explanation-text.ts';
import { printable } from '../../engine/lib/printable.ts';
import type {
  EntryExplanation,
  Line,
  OrderExplanation,
  StockExplanation,
} from '../office/explanation.ts';

/** Returns an explanation as text: a line for each part of the total, then what does not apply, then what changed. */
export function orderText(explanation: OrderExplanation, paint: Paint = plain): string {
  const { order, state, currency, total, lines, now } = explanation;
  const applied = lines.filter((line) => line.applied);
  const others = (now ?? explanation).lines.filter((line) => !line.applied);
  return [
    `${paint('bold', `Order ${order}`)}, ${printable(state)}: ${paint('bold', money(total))} ${printable(currency)}`,
    '',
    ...tableOf(applied, total, paint),
    ...section('Not applied', others, (line) => [
      `  ${printable(line.label)}`,
      ...factLines(line.because, paint),
    ]),
    ...(now === undefined
      ? []
      : section(`Now it would be ${money(now.total)}`, now.changes, (change) => [
          `  ${printable(change.label)}: ${moneyOr(change.was)} → ${moneyOr(change.now)}`,
          ...factLines(change.because, paint),
        ])),
  ].join('\n');

  function section<Part>(
    title: string,
    parts: readonly Part[],
    print: (part: Part) => string[],
  ): string[] {
    return parts.length === 0 ? [] : ['', paint('bold', title), ...parts.flatMap(print)];
  }
}

/** Returns the stock of a variant as text: each location with the orders that hold it, and what moved it. */
export function stockText(
  { variant, label, changesFrom, lines, backordered }: StockExplanation,
  paint: Paint = plain,
): string {
  return [
    paint('bold', `Variant ${variant}, ${printable(label)}`),
    ...lines.flatMap(({ label: place, enabled, on_hand, on_hold, held, began, moves }) => [
      '',
      `${paint('bold', printable(place))}: ${on_hand} on hand, ${on_hold} on hold${enabled ? '' : ', not sold from there'}`,
      ...held.map(({ order, units }) => `  ${units} for order ${order}`),
      paint(
        'dim',
        `  ${beforeText(changesFrom)}: ${began.on_hand} on hand, ${began.on_hold} on hold`,
      ),
      ...moves.map((move) => {
        const units = move.units.map(
          (one) => `${one.transition} ${one.units} of order ${one.order}`,
        );
        const cause = units.length === 0 ? '' : `: ${units.join(', ')}`;
        return `  #${move.entry} ${printable(move.title)}  ${signed(move.on_hand)} on hand, ${signed(move.on_hold)} on hold${printable(cause)}`;
      }),
    ]),
    ...(backordered.length === 0 ? [] : ['', paint('bold', 'Waits for stock')]),
    ...backordered.map(({ order, units }) => `  ${units} of order ${order}`),
  ].join('\n');
}

/** Names the time before the first change that is kept. */
export function beforeText(changesFrom: number): string {
  return changesFrom === 1 ? 'before' : `before #${changesFrom}`;
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count);
}

/** Returns as text which rules a request was compared with, and why the orders that it changed had their totals. */
export function entryText(explanation: EntryExplanation, paint: Paint = plain): string {
  return textOfEntry(explanation, paint, orderText);
}

function tableOf(lines: readonly Line[], total: number, paint: Paint): string[] {
  const rows = lines.map(({ label, detail = '', amount, counts, because }) => ({
    label: printable(label),
    detail: printable(detail),
    // In brackets, as in accounts, what the sum leaves out.
    amount: counts ? `${money(amount)} ` : `(${money(amount)})`,
    because,
  }));
  const sum = { label: 'Total', detail: '', amount: `${money(total)} `, because: [] };
  const widthOf = (column: 'label' | 'detail' | 'amount'): number =>
    Math.max(...[...rows, sum].map((row) => row[column].length));
  const [labels, details, amounts] = [widthOf('label'), widthOf('detail'), widthOf('amount')];
  const print = ({ label, detail, amount }: Omit<typeof sum, 'because'>): string =>
    `  ${label.padEnd(labels)}  ${paint('dim', detail.padEnd(details))}  ${amount.padStart(amounts)}`.trimEnd();
  return [
    ...rows.flatMap((row) => [print(row), ...factLines(row.because, paint)]),
    paint('bold', print(sum)),
  ];
}

function money(minor: number): string {
  return (minor / 100).toFixed(2);
}

function moneyOr(minor: number | undefined): string {
  return minor === undefined ? 'none' : money(minor);
}

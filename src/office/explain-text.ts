import type { Fact, Line, OrderExplanation } from '../definition/explanation.ts';
import { printable } from '../lib/printable.ts';

/** Colours a text, for terminals. */
export type Paint = (colour: 'green' | 'red' | 'dim' | 'bold', text: string) => string;

const plain: Paint = (_, text) => text;

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

function tableOf(lines: readonly Line[], total: number, paint: Paint): string[] {
  const rows = lines.map(({ label, detail = '', amount, counts, because }) => ({
    label: printable(label),
    detail: printable(detail),
    // In brackets, as in accounts, what the sum leaves out.
    amount: counts ? `${money(amount)} ` : `(${money(amount)})`,
    because,
  }));
  const sum = { label: 'Total', detail: '', amount: `${money(total)} `, because: [] };
  const [labels, details, amounts] = (['label', 'detail', 'amount'] as const).map((name) =>
    Math.max(...[...rows, sum].map((row) => row[name].length)),
  ) as [number, number, number];
  const print = ({ label, detail, amount }: Omit<typeof sum, 'because'>): string =>
    `  ${label.padEnd(labels)}  ${paint('dim', detail.padEnd(details))}  ${amount.padStart(amounts)}`.trimEnd();
  return [
    ...rows.flatMap((row) => [print(row), ...factLines(row.because, paint)]),
    paint('bold', print(sum)),
  ];
}

function factLines(facts: readonly Fact[], paint: Paint): string[] {
  return facts.map(({ met, wanted, actual }) => {
    const text = `${met ? '✓' : '✗'} ${printable(wanted)}: ${printable(actual)}`;
    return `    ${paint(met ? 'green' : 'red', text)}`;
  });
}

function money(minor: number): string {
  return (minor / 100).toFixed(2);
}

function moneyOr(minor: number | undefined): string {
  return minor === undefined ? 'none' : money(minor);
}

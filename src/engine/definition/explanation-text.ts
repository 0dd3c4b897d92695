import type {
  EntryExplanation,
  Fact,
  Line,
  OrderExplanation,
  RefusedField,
  StateExplanation,
  StateMove,
  StockExplanation,
  TriedRule,
} from './explanation.ts';
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

/** Returns the stock of a variant as text: each location with the orders that hold it, and what moved it. */
export function stockText(
  { variant, label, lines, backordered }: StockExplanation,
  paint: Paint = plain,
): string {
  return [
    paint('bold', `Variant ${variant}, ${printable(label)}`),
    ...lines.flatMap(({ label: place, enabled, on_hand, on_hold, held, began, moves }) => [
      '',
      `${paint('bold', printable(place))}: ${on_hand} on hand, ${on_hold} on hold${enabled ? '' : ', not sold from there'}`,
      ...held.map(({ order, units }) => `  ${units} for order ${order}`),
      paint('dim', `  before: ${began.on_hand} on hand, ${began.on_hold} on hold`),
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

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count);
}

/** Returns a state as text: the way there, and what is possible next. */
export function stateText(
  { machine, id, state, moves, next }: StateExplanation,
  paint: Paint = plain,
): string {
  return [
    paint('bold', `${printable(machine)} ${id}: ${printable(state)}`),
    '',
    ...moves.flatMap((move) => [
      `  #${move.entry} ${printable(move.title)}  ${printable(move.from ?? 'new')} → ${printable(move.to)}`,
      ...(move.after.length === 0 ? [] : [`    ${paint('dim', `after ${afterText(move)}`)}`]),
      ...factLines(move.because, paint),
    ]),
    ...(moves.length === 0 ? [] : ['']),
    ...next.map(({ transition, to, possible, reason = '' }) =>
      possible
        ? `  ${paint('green', '✓')} ${printable(transition)} → ${printable(to)}`
        : `  ${paint('red', '✗')} ${printable(transition)}: ${printable(reason)}`,
    ),
  ].join('\n');
}

function afterText({ after }: StateMove): string {
  return after
    .map(({ machine, transition, to, ids }) =>
      printable(`${machine} ${ids.join(', ')}: ${transition ?? to}`),
    )
    .join('; ');
}

/** Returns as text which rules a request was compared with. */
export function entryText(
  { entry, title, outcome, reason, refused, faults, script, orders }: EntryExplanation,
  paint: Paint = plain,
): string {
  const rules = (name: string, tried: readonly TriedRule[]): string[] =>
    tried.flatMap(({ rule, applied, because }) =>
      applied
        ? [`  ${paint('green', '✓')} ${name} ${rule} applied`]
        : [`  ${name} ${rule}`, ...factLines(because, paint)],
    );
  return [
    `${paint('bold', `#${entry} ${printable(title)}`)} ${printable(outcome)}${reason === undefined ? '' : `: ${printable(reason)}`}`,
    ...refused.map((field) => `  ${paint('red', '✗')} ${printable(refusedText(field))}`),
    ...rules('fault', faults),
    ...rules('script rule', script),
    ...orders.flatMap((order) => ['', orderText(order, paint)]),
  ].join('\n');
}

/** `email: sent "x", accepts an email address` */
export function refusedText({ path, message, sent, accepts }: RefusedField): string {
  if (path.length === 0) return message;
  const was = sent === undefined ? 'not sent' : `sent ${JSON.stringify(sent)}`;
  return `${path.join('.')}: ${was}, accepts ${accepts}`;
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

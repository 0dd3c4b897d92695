import type {
  EntryExplanation,
  Fact,
  NextRequest,
  RefusedField,
  StateExplanation,
  StateMove,
  TriedRule,
} from './explanation.ts';
import { lostChanges } from '../lib/lost-text.ts';
import { printable } from '../lib/printable.ts';

/** Colours a text, for terminals. */
export type Paint = (colour: 'green' | 'red' | 'dim' | 'bold', text: string) => string;

export const plain: Paint = (_, text) => text;

/** Returns a request in one line: `POST /_backlot/transitions/shipment/4 {"transition":"ship"}`. */
export function requestLine({ method, url, body }: NextRequest): string {
  return `${method} ${url} ${JSON.stringify(body)}`;
}

/**
 * Returns a state as text: the way there, and what is possible next.
 *
 * @param lineOf writes the request of a transition (default: in one line)
 */
export function stateText(
  { machine, id, state, changesFrom, moves, next }: StateExplanation,
  paint: Paint = plain,
  lineOf: (request: NextRequest) => string = requestLine,
): string {
  return [
    paint('bold', `${printable(machine)} ${id}: ${printable(state)}`),
    '',
    ...goneLines(changesFrom, paint),
    ...moves.flatMap((move) => [
      `  #${move.entry} ${printable(move.title)}  ${printable(move.from ?? 'new')} → ${printable(move.to)}`,
      ...(move.after.length === 0 ? [] : [`    ${paint('dim', `after ${afterText(move)}`)}`]),
      ...factLines(move.because, paint),
    ]),
    ...(moves.length === 0 && changesFrom === 1 ? [] : ['']),
    ...next.flatMap(({ transition, to, possible, request, reason = '' }) =>
      possible
        ? [
            `  ${paint('green', '✓')} ${printable(transition)} → ${printable(to)}`,
            ...(request === undefined ? [] : [`      ${printable(lineOf(request))}`]),
          ]
        : [`  ${paint('red', '✗')} ${printable(transition)}: ${printable(reason)}`],
    ),
  ].join('\n');
}

/** Returns a line that says which changes are not kept. */
function goneLines(changesFrom: number, paint: Paint): string[] {
  const gone = lostChanges(changesFrom);
  return gone === undefined ? [] : [paint('dim', `  ${gone}`)];
}

function afterText({ after }: StateMove): string {
  return after
    .map(({ machine, transition, to, ids }) =>
      printable(`${machine} ${ids.join(', ')}: ${transition ?? to}`),
    )
    .join('; ');
}

/** Returns as text which rules a request was compared with. @param textOf that of a record that it changed */
export function entryText<Changed>(
  explanation: EntryExplanation<Changed>,
  paint: Paint,
  textOf: (changed: Changed, paint: Paint) => string,
): string {
  const { entry, title, sentence, outcome, reason, refused, faults, script, orders } = explanation;
  const lacking = rulesOfNow(explanation);
  const rules = (name: string, tried: readonly TriedRule[]): string[] =>
    tried.flatMap(({ rule, applied, because }) =>
      applied
        ? [`  ${paint('green', '✓')} ${name} ${rule} applied`]
        : [`  ${name} ${rule}`, ...factLines(because, paint)],
    );
  return [
    paint('bold', `#${entry} ${printable(sentence)}`),
    `  ${printable(title)} ${printable(outcome)}${reason === undefined ? '' : `: ${printable(reason)}`}`,
    ...refused.map((field) => `  ${paint('red', '✗')} ${printable(refusedText(field))}`),
    ...(lacking === undefined ? [] : [paint('dim', `  ${lacking}`)]),
    ...rules('fault', faults),
    ...rules('script', script),
    ...orders.flatMap((changed) => ['', textOf(changed, paint)]),
  ].join('\n');
}

/** Says that a request is compared with the faults and the script of now, if those of then are not kept. */
export function rulesOfNow(explanation: EntryExplanation): string | undefined {
  const { entry, changesFrom, faults, script } = explanation;
  if (entry >= changesFrom || faults.length + script.length === 0) return undefined;
  return `Compared with the faults and the script of now: changes before #${changesFrom} are not kept.`;
}

/** `email: sent "x", accepts an email address` */
export function refusedText({ path, message, sent, accepts, example, omit }: RefusedField): string {
  if (path.length === 0) return message;
  const was = sent === undefined ? 'not sent' : `sent ${JSON.stringify(sent)}`;
  const reason = example === undefined && omit === undefined ? ` (${message})` : '';
  return `${path.join('.')}: ${was}, accepts ${accepts}${reason}`;
}

/** Returns the conditions that decided something, a line each. */
export function factLines(facts: readonly Fact[], paint: Paint): string[] {
  return facts.map(({ met, wanted, actual }) => {
    const text = `${met ? '✓' : '✗'} ${printable(wanted)}: ${printable(actual)}`;
    return `    ${paint(met ? 'green' : 'red', text)}`;
  });
}

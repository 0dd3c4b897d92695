import { hintOf } from '../../engine/lib/unknown-keys.ts';
import * as z from 'zod';
import { machines, type MachineName } from '../checkout/machines/transition.ts';
import { Problem, refusedProblem } from '../../engine/lib/problem.ts';
import { text } from '../../engine/rest/field.ts';
import { requestLine } from '../../engine/definition/explanation-text.ts';
import { form } from '../../engine/rest/form.ts';
import { NextTransitionView } from '../../engine/definition/explanation-view.ts';
import { transitionsOf } from '../explain/next-transitions.ts';
import { endpoint } from './endpoint.ts';
import type { StoreOffice } from '../office/store-office.ts';
import { parseId } from '../../engine/lib/names.ts';

export const machineNames = Object.values(machines).map(({ name }) => name);

const TransitionsView = z.strictObject({
  machine: z.enum(machineNames),
  id: z.int(),
  state: z.string(),
  transitions: z.array(NextTransitionView),
});

const path = '/_backlot/transitions/:machine/:id';

export const transitionEndpoints = [
  endpoint({
    method: 'GET',
    path,
    operationId: 'listTransitions',
    summary: 'List the transitions of an order, a payment, a shipment or an inventory unit',
    answer: TransitionsView,
    example: { url: '/_backlot/transitions/order/1' },
    subject: ({ params }) => parseSubject(params),
    handle: ({ office, subject }) => transitionsView(office(), subject),
  }),
  endpoint({
    method: 'POST',
    path,
    operationId: 'applyTransition',
    summary: 'Apply a transition: ship, return, cancel, refund, …',
    body: form({
      transition: text().describe('Name of a transition that the list has, such as `ship`'),
    }),
    answer: TransitionsView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/transitions/order/3', body: { transition: 'return' } },
    subject: ({ params }) => parseSubject(params),
    handle({ office, subject, body }) {
      const backOffice = office();
      try {
        backOffice.checkout.transition(subject.machine, subject.id, body.transition);
      } catch (error) {
        throw withPossible(error, backOffice, subject);
      }
      return transitionsView(backOffice, subject);
    },
  }),
];

/** Returns an error; that of a transition that is not possible has those that are. */
function withPossible(error: unknown, office: StoreOffice, subject: Subject): unknown {
  if (!(error instanceof Problem) || error.kind !== 'refused') return error;
  const possible = transitionsView(office, subject).transitions.flatMap(({ request }) =>
    request === undefined ? [] : [requestLine(request)],
  );
  const hint = possible.length === 0 ? '' : ` Possible: ${possible.join(', or ')}`;
  return refusedProblem(`${error.message}${hint}`);
}

interface Subject {
  readonly machine: MachineName;
  readonly id: number;
}

/** @throws Problem `missing` that lists the names of the state machines */
function parseSubject({ machine, id }: { readonly machine: string; readonly id: string }): Subject {
  const known = machineNames.find((name) => name === machine);
  if (known !== undefined) return { machine: known, id: parseId(known.replace('_', ' '), id) };
  const names = machineNames.join(', ');
  throw new Problem(
    'missing',
    `State machine '${machine}' not found.${hintOf(machine, machineNames)} Use one of ${names}.`,
  );
}

function transitionsView(
  { shop }: StoreOffice,
  { machine, id }: Subject,
): z.output<typeof TransitionsView> {
  const transitions = transitionsOf(shop, machine, id);
  return { machine, id, state: machines[machine].stateOf(shop, id), transitions };
}

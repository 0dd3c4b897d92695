import * as z from 'zod';
import { machines, type MachineName } from '../../checkout/machines/transition.ts';
import { Problem } from '../../lib/problem.ts';
import { text } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';
import type { BackOffice } from '../../office/back-office.ts';
import { parseId } from '../../lib/names.ts';

export const machineNames = Object.values(machines).map(({ name }) => name);

const StepView = z.strictObject({
  name: z.string(),
  from: z
    .string()
    .optional()
    .describe('State of the checkout that it starts from; absent if it is no step of the checkout'),
  to: z.string().optional().describe('State of the checkout that it leads to'),
});

const MachineView = z.strictObject({
  name: z.string(),
  table: z.string().describe('The table of its records, as in an export: `inventory_units`'),
  field: z.string().describe('The field with the state'),
  states: z.array(z.string()),
  initial: z.string(),
  external: z.array(z.string()).describe('States that no transition leads to'),
  transitions: z.array(
    z.strictObject({ name: z.string(), from: z.array(z.string()), to: z.string() }),
  ),
});

const TransitionsView = z.strictObject({
  machine: z.enum(machineNames),
  id: z.int(),
  state: z.string(),
  transitions: z.array(
    z.strictObject({
      transition: z.string(),
      to: z.string(),
      possible: z.boolean(),
      reason: z.string().optional(),
    }),
  ),
});

const path = '/_backlot/transitions/:machine/:id';

export const transitionEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/steps',
    operationId: 'listSteps',
    summary: 'List the steps that faults, the script and the journal name, in their order',
    status: 200,
    answer: z.array(StepView),
    errors: [],
    example: { url: '/_backlot/steps' },
    handle: ({ office }) => office().shop.api.steps.map((step) => ({ ...step })),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/machines',
    operationId: 'listMachines',
    summary: 'List the state machines with their states and transitions',
    status: 200,
    answer: z.array(MachineView),
    errors: [],
    example: { url: '/_backlot/machines' },
    handle: ({ office }) =>
      office().shop.api.machines.map(
        ({ name, table, field, states, initial, external, transitions }) => ({
          name,
          table,
          field,
          states: [...states],
          initial,
          external: [...external],
          transitions: transitions.map((row) => ({
            name: row.name,
            from: [...row.from],
            to: row.to,
          })),
        }),
      ),
  }),
  endpoint({
    method: 'GET',
    path,
    operationId: 'listTransitions',
    summary: 'List the transitions of an order, a payment, a shipment or an inventory unit',
    status: 200,
    answer: TransitionsView,
    errors: ['missing'],
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
    status: 200,
    answer: TransitionsView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/transitions/order/3', body: { transition: 'return' } },
    subject: ({ params }) => parseSubject(params),
    handle({ office, subject, body }) {
      const backOffice = office();
      backOffice.checkout.transition(subject.machine, subject.id, body.transition);
      return transitionsView(backOffice, subject);
    },
  }),
];

interface Subject {
  readonly machine: MachineName;
  readonly id: number;
}

/** @throws Problem `missing` that lists the names of the state machines */
function parseSubject({ machine, id }: { readonly machine: string; readonly id: string }): Subject {
  const known = machineNames.find((name) => name === machine);
  if (known !== undefined) return { machine: known, id: parseId(known.replace('_', ' '), id) };
  const names = machineNames.join(', ');
  throw new Problem('missing', `State machine '${machine}' not found. Use one of ${names}.`);
}

function transitionsView(
  { checkout, shop }: BackOffice,
  { machine, id }: Subject,
): z.output<typeof TransitionsView> {
  const transitions = [...checkout.listTransitions(machine, id)];
  return { machine, id, state: machines[machine].stateOf(shop, id), transitions };
}

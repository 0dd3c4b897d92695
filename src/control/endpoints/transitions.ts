import * as z from 'zod';
import type { MachineName } from '../../checkout/machines/transition.ts';
import { Problem } from '../../lib/problem.ts';
import { text } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';
import type { BackOffice } from '../../office/back-office.ts';
import { parseId } from '../../lib/names.ts';

const machineNames = ['order', 'payment', 'shipment', 'inventory_unit'] as const;

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
    path,
    summary: 'What can happen next to an order, a payment, a shipment or an inventory unit',
    status: 200,
    answer: TransitionsView,
    errors: ['missing'],
    example: { url: '/_backlot/transitions/order/1' },
    subject: ({ params }) => named(params),
    handle: ({ office, subject }) => transitionsView(office(), subject),
  }),
  endpoint({
    method: 'POST',
    path,
    summary: 'Move it on: ship, return, cancel, refund, …',
    body: form({ transition: text() }),
    status: 200,
    answer: TransitionsView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/transitions/order/3', body: { transition: 'return' } },
    subject: ({ params }) => named(params),
    handle({ office, subject, body }) {
      const one = office();
      one.checkout.transition(subject.machine, subject.id, body.transition);
      return transitionsView(one, subject);
    },
  }),
];

interface Named {
  readonly machine: MachineName;
  readonly id: number;
}

/** @throws Problem `missing` that lists what has transitions */
function named({ machine, id }: { readonly machine: string; readonly id: string }): Named {
  const known = machineNames.find((name) => name === machine);
  if (known !== undefined) return { machine: known, id: parseId(known.replace('_', ' '), id) };
  const names = machineNames.join(', ');
  throw new Problem('missing', `Nothing is called ${machine}; there are: ${names}.`);
}

function transitionsView(
  { checkout, db }: BackOffice,
  { machine, id }: Named,
): z.output<typeof TransitionsView> {
  const transitions = [...checkout.possibilities(machine, id)];
  const state = {
    order: db.orders.get(id)?.state,
    payment: db.payments.get(id)?.state,
    shipment: db.shipments.get(id)?.state,
    inventory_unit: db.inventoryUnits.get(id)?.inventory_state,
  }[machine];
  return { machine, id, state: state ?? '', transitions };
}

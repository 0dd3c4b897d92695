import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { documentTexts } from '../../lib/document-texts.ts';

const StepView = z.strictObject({
  name: z.string(),
  from: z.string().optional().describe(documentTexts.stepFrom),
  to: z.string().optional().describe(documentTexts.stepTo),
  optional: z.literal(true).optional().describe(documentTexts.stepOptional),
  settles: z
    .strictObject({ table: z.string(), failed: z.array(z.string()) })
    .optional()
    .describe('States of the last record of a table in its response that say that it failed'),
});
export type StepView = z.output<typeof StepView>;

const MachineView = z.strictObject({
  name: z.string(),
  table: z.string().describe(documentTexts.machineTable),
  field: z.string().describe('The field with the state'),
  states: z.array(z.string()),
  initial: z.string(),
  external: z.array(z.string()).describe('States that no transition leads to'),
  transitions: z.array(
    z.strictObject({ name: z.string(), from: z.array(z.string()), to: z.string() }),
  ),
});
export type MachineView = z.output<typeof MachineView>;

export const machineEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/steps',
    summary: 'List the steps that faults, the script and the journal name, in their order',
    answer: z.array(StepView),
    handle: ({ office }) =>
      office().shop.api.steps.map(({ name, from, to, optional, failedWhen }) => ({
        name,
        from,
        to,
        optional,
        settles: failedWhen && { table: failedWhen.table, failed: failedWhen.states },
      })),
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/machines',
    summary: 'List the state machines with their states and transitions',
    answer: z.array(MachineView),
    handle: ({ office }) =>
      office().shop.api.machines.map(
        ({ name, table, field, states, initial, external, transitions }) => ({
          name,
          table,
          field,
          states,
          initial,
          external,
          transitions: transitions.map((row) => ({ name: row.name, from: row.from, to: row.to })),
        }),
      ),
  }),
];

import * as z from 'zod';
import { faultInput } from '../../faults/fault-rule.ts';
import { Timestamp } from '../../lib/fields.ts';
import { jsonForm } from '../../rest/form.ts';
import { definitions } from '../../models/database.ts';
import { endpoint } from '../endpoint.ts';
import { parseId } from '../../lib/names.ts';
import { ScriptRuleInput } from '../../checkout/script-rules.ts';
import { ScriptRule } from '../../models/script-rule.ts';

const { schema: FaultRule } = definitions.faultRules;
const FaultRuleInput = faultInput(definitions.faultRules);

export const faultEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/faults',
    summary: 'List faults in the order in which they are tried',
    status: 200,
    answer: z.array(FaultRule),
    errors: [],
    example: { url: '/_backlot/faults' },
    handle: ({ office }) => [...office().faults.list()],
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/faults',
    operationId: 'addFault',
    summary: 'Add a fault',
    body: jsonForm(FaultRuleInput),
    status: 201,
    answer: FaultRule,
    errors: ['invalid', 'too many'],
    example: {
      url: '/_backlot/faults',
      body: { match: { method: 'PUT', path: '/api/checkouts/:order_id' }, first: 2, status: 503 },
    },
    handle: ({ office, body }) => office().faults.add(body),
  }),
  endpoint({
    method: 'DELETE',
    path: '/_backlot/faults',
    operationId: 'deleteFaults',
    summary: 'Delete all faults',
    status: 204,
    answer: undefined,
    errors: [],
    example: { url: '/_backlot/faults' },
    handle: ({ office }) => office().faults.clear(),
  }),
  endpoint({
    method: 'PUT',
    path: '/_backlot/faults/:fault_id',
    operationId: 'replaceFault',
    summary: 'Replace a fault in its place; `off` switches it off',
    body: jsonForm(FaultRuleInput),
    status: 200,
    answer: FaultRule,
    errors: ['missing', 'invalid'],
    example: { url: '/_backlot/faults/1', body: { status: 503, off: true } },
    handle: ({ office, params, body }) =>
      office().faults.replace(parseId('fault rule', params.fault_id), body),
  }),
  endpoint({
    method: 'DELETE',
    path: '/_backlot/faults/:fault_id',
    summary: 'Delete a fault',
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: '/_backlot/faults/1' },
    handle: ({ office, params }) => office().faults.remove(parseId('fault rule', params.fault_id)),
  }),
];

const HeldView = z.strictObject({
  name: z.string().describe('The name that releases it'),
  method: z.string(),
  url: z.string().describe('Path and query'),
  since: Timestamp.describe('Time by the clock of the back office'),
});

export const holdEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/holds',
    summary: 'List requests whose responses faults hold, oldest first',
    status: 200,
    answer: z.array(HeldView),
    errors: [],
    example: { url: '/_backlot/holds' },
    handle: ({ office }) => [...office().held()],
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/holds/:name/release',
    operationId: 'releaseHold',
    summary: 'Send the responses held under a name; hold no later ones',
    status: 200,
    answer: z.strictObject({ released: z.int().describe('Number of responses that were held') }),
    errors: [],
    example: { url: '/_backlot/holds/orders/release' },
    handle: ({ office, params }) => ({ released: office().release(params.name) }),
  }),
];

export const scriptEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/script',
    operationId: 'listScriptRules',
    summary: 'List script rules in the order in which they are tried',
    status: 200,
    answer: z.array(ScriptRule),
    errors: [],
    example: { url: '/_backlot/script' },
    handle: ({ office }) => [...office().script.list()],
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/script',
    operationId: 'addScriptRule',
    summary: 'Add a script rule',
    body: jsonForm(ScriptRuleInput),
    status: 201,
    answer: ScriptRule,
    errors: ['invalid'],
    example: {
      url: '/_backlot/script',
      body: { on: 'purchase', match: { card: '4242' }, outcome: 'declined', first: 2 },
    },
    handle: ({ office, body }) => office().script.add(body),
  }),
  endpoint({
    method: 'DELETE',
    path: '/_backlot/script',
    operationId: 'deleteScriptRules',
    summary: 'Delete all script rules',
    status: 204,
    answer: undefined,
    errors: [],
    example: { url: '/_backlot/script' },
    handle: ({ office }) => office().script.clear(),
  }),
  endpoint({
    method: 'PUT',
    path: '/_backlot/script/:rule_id',
    operationId: 'replaceScriptRule',
    summary: 'Replace a script rule in its place; `off` switches it off',
    body: jsonForm(ScriptRuleInput),
    status: 200,
    answer: ScriptRule,
    errors: ['missing', 'invalid'],
    example: {
      url: '/_backlot/script/1',
      body: { on: 'purchase', outcome: 'declined', off: true },
    },
    handle: ({ office, params, body }) =>
      office().script.replace(parseId('script rule', params.rule_id), body),
  }),
  endpoint({
    method: 'DELETE',
    path: '/_backlot/script/:rule_id',
    operationId: 'deleteScriptRule',
    summary: 'Delete a script rule',
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: '/_backlot/script/1' },
    handle: ({ office, params }) => office().script.remove(parseId('script rule', params.rule_id)),
  }),
];

import * as z from 'zod';
import { faultInput } from '../../faults/fault-rule.ts';
import { Timestamp } from '../../lib/fields.ts';
import { jsonForm } from '../../rest/form.ts';
import type { ApiDefinition, ScriptDefinition } from '../../definition/api.ts';
import { partsOf } from '../../faults/endpoint-match.ts';
import { faultIssues } from '../../faults/fault-rules.ts';
import { matchesRequest } from '../../faults/select-faults.ts';
import type { JournalEntry } from '../../journal/recorded-exchange.ts';
import { invalidFields, Problem } from '../../lib/problem.ts';
import { parseTarget } from '../../rest/serve.ts';
import { endpoint, type ControlEndpoint } from '../endpoint.ts';
import { parseId } from '../../lib/names.ts';

/** The endpoints of the faults of an API. */
export function faultEndpoints(api: ApiDefinition): readonly ControlEndpoint[] {
  return [...allFaults(api), ...singleFaults(api)];
}

function allFaults({ tables }: ApiDefinition): readonly ControlEndpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/_backlot/faults',
      summary: 'List faults in the order in which they are tried',
      status: 200,
      answer: z.array(tables.faultRules.schema),
      errors: [],
      example: { url: '/_backlot/faults' },
      handle: ({ office }) => [...office().faults.list()],
    }),
    endpoint({
      method: 'POST',
      path: '/_backlot/faults',
      operationId: 'addFault',
      summary: 'Add a fault',
      body: jsonForm(faultInput(tables.faultRules)),
      status: 201,
      answer: tables.faultRules.schema,
      errors: ['invalid', 'too many'],
      example: {
        url: '/_backlot/faults',
        body: { match: { method: 'PUT' }, first: 2, status: 503 },
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
  ];
}

function singleFaults({ tables }: ApiDefinition): readonly ControlEndpoint[] {
  return [
    endpoint({
      method: 'PUT',
      path: '/_backlot/faults/:fault_id',
      operationId: 'replaceFault',
      summary: 'Replace a fault in its place; `off` switches it off',
      body: jsonForm(faultInput(tables.faultRules)),
      status: 200,
      answer: tables.faultRules.schema,
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
      handle: ({ office, params }) =>
        office().faults.remove(parseId('fault rule', params.fault_id)),
    }),
  ];
}

const HeldView = z.strictObject({
  name: z.string().describe('The name that releases it'),
  method: z.string(),
  url: z.string().describe('Path and query'),
  since: Timestamp.describe('Time by the clock of the back office'),
});
export type HeldView = z.output<typeof HeldView>;

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

/** The endpoints of the script of an API. */
export function scriptEndpoints({ script }: ApiDefinition): readonly ControlEndpoint[] {
  return [...allScriptRules(script), ...singleScriptRules(script)];
}

function allScriptRules({ rule, input }: ScriptDefinition): readonly ControlEndpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/_backlot/script',
      operationId: 'listScriptRules',
      summary: 'List script rules in the order in which they are tried',
      status: 200,
      answer: z.array(rule),
      errors: [],
      example: { url: '/_backlot/script' },
      handle: ({ office }) => [...office().script.list()],
    }),
    endpoint({
      method: 'POST',
      path: '/_backlot/script',
      operationId: 'addScriptRule',
      summary: 'Add a script rule',
      body: jsonForm(input),
      status: 201,
      answer: rule,
      errors: ['invalid'],
      example: {
        url: '/_backlot/script',
        body: { on: 'publish', first: 2 },
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
  ];
}

function singleScriptRules({ rule, input }: ScriptDefinition): readonly ControlEndpoint[] {
  return [
    endpoint({
      method: 'PUT',
      path: '/_backlot/script/:rule_id',
      operationId: 'replaceScriptRule',
      summary: 'Replace a script rule in its place; `off` switches it off',
      body: jsonForm(input),
      status: 200,
      answer: rule,
      errors: ['missing', 'invalid'],
      example: {
        url: '/_backlot/script/1',
        body: { on: 'publish', off: true },
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
      handle: ({ office, params }) =>
        office().script.remove(parseId('script rule', params.rule_id)),
    }),
  ];
}

const PreviewView = z.strictObject({
  matched: z.int().describe('Number of recorded requests that the rule would have matched'),
  of: z.int().describe('Number of recorded requests'),
  entries: z.array(z.int()).describe('Ids of the last 100 of them'),
});
export type PreviewView = z.output<typeof PreviewView>;

/** Tells which recorded requests a rule would have matched. */
export function previewEndpoints(api: ApiDefinition): readonly ControlEndpoint[] {
  const input = z.strictObject({
    fault: faultInput(api.tables.faultRules).optional().describe('A fault, as it would be added'),
    script: api.script.input.optional().describe('A script rule, as it would be added'),
  });
  return [
    endpoint({
      method: 'POST',
      path: '/_backlot/rules/preview',
      operationId: 'previewRule',
      summary: 'Count the recorded requests that a fault or a script rule would have matched',
      body: jsonForm(input),
      status: 200,
      answer: PreviewView,
      errors: ['invalid'],
      example: {
        url: '/_backlot/rules/preview',
        body: { fault: { match: { path: '/api/orders/:order_id' }, status: 503 } },
      },
      handle({ office, body: { fault, script } }) {
        if ((fault === undefined) === (script === undefined))
          throw new Problem('invalid', 'Give either fault or script.');
        const backOffice = office();
        const issues =
          fault === undefined ? api.script.issues(script, api.steps) : faultIssues(fault, api);
        if (issues.length > 0) throw invalidFields(issues);
        const recorded = backOffice.journal.entries();
        const matched = recorded.filter((entry) =>
          fault === undefined
            ? api.served?.parts().matchesScript(backOffice.shop, entry, script)
            : matchesFault(entry, fault.match, api.path),
        );
        const entries = matched.slice(-100).map(({ id }) => id);
        return { matched: matched.length, of: recorded.length, entries };
      },
    }),
  ];
}

function matchesFault(
  { method, url, session, step, request }: JournalEntry,
  match: Parameters<typeof matchesRequest>[0],
  apiPath: string,
): boolean {
  const { path } = parseTarget(url);
  const parameter = (name: string) => request.query[name] ?? request.body?.[name];
  return matchesRequest(match, { method, path, session, step, parameter }, partsOf(path), apiPath);
}

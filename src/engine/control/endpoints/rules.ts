import * as z from 'zod';
import { faultInput } from '../../faults/fault-rule.ts';
import { Timestamp } from '../../lib/fields.ts';
import { jsonForm } from '../../rest/form.ts';
import type { ApiDefinition } from '../../definition/api.ts';
import { parseParameterName, partsOf } from '../../faults/endpoint-match.ts';
import { faultIssues } from '../../faults/fault-rules.ts';
import { unmetOf } from '../../faults/select-faults.ts';
import type { JournalEntry } from '../../journal/recorded-exchange.ts';
import { valuesInPath } from '../../lib/api-path.ts';
import { valueAt, type JsonObject } from '../../lib/json-value.ts';
import { invalidFields, Problem } from '../../lib/problem.ts';
import type { BackOffice } from '../../office/back-office.ts';
import type { ScriptApi } from '../../office/script-api.ts';
import type { Row } from '../../store/row.ts';
import { parseTarget } from '../../rest/serve.ts';
import { endpoint, type ControlEndpoint } from '../endpoint.ts';
import { parseId } from '../../lib/names.ts';

/** The endpoints of the faults of an API. */
export function faultEndpoints({ tables }: ApiDefinition): readonly ControlEndpoint[] {
  return ruleEndpoints({
    path: '/_backlot/faults',
    id: 'fault_id',
    noun: 'fault',
    name: 'Fault',
    rule: tables.faultRules.schema,
    input: faultInput(tables.faultRules),
    added: { match: { method: 'PUT' }, first: 2, status: 503 },
    replaced: { status: 503, off: true },
    rulesOf: ({ faults }) => faults,
  });
}

/** The endpoints of the script of an API. */
export function scriptEndpoints({ script }: ApiDefinition): readonly ControlEndpoint[] {
  return ruleEndpoints({
    path: '/_backlot/script',
    id: 'rule_id',
    noun: 'script',
    name: 'ScriptRule',
    rule: script.rule,
    input: script.input,
    added: { on: 'publish', first: 2 },
    replaced: { on: 'publish', off: true },
    rulesOf: (office) => office.script,
  });
}

/** The differences between the endpoints of faults and those of the script. */
interface RuleKind<Input extends z.ZodObject, Rule extends Row> {
  readonly path: '/_backlot/faults' | '/_backlot/script';
  /** The parameter of the path. */
  readonly id: 'fault_id' | 'rule_id';
  /** Its name in summaries and errors. */
  readonly noun: string;
  /** Its name in operation ids. */
  readonly name: string;
  readonly rule: z.ZodType<Rule>;
  readonly input: Input;
  /** The bodies of the examples. */
  readonly added: JsonObject;
  readonly replaced: JsonObject;
  readonly rulesOf: (office: BackOffice) => ScriptApi<z.output<Input>, Rule>;
}

function ruleEndpoints<Input extends z.ZodObject, Rule extends Row>(
  kind: RuleKind<Input, Rule>,
): readonly ControlEndpoint[] {
  return [...allRules(kind), ...singleRules(kind)];
}

function allRules<Input extends z.ZodObject, Rule extends Row>(kind: RuleKind<Input, Rule>) {
  const { path, noun, name, rule, rulesOf } = kind;
  return [
    endpoint({
      hasPast: true,
      method: 'GET',
      path,
      operationId: `list${name}s`,
      // A rule may have as much as the body of a request.
      cost: 2,
      summary: `List ${noun}s in the order in which they are tried`,
      answer: z.array(rule),
      handle: ({ office }) => [...rulesOf(office()).list()],
    }),
    endpoint({
      method: 'POST',
      path,
      operationId: `add${name}`,
      summary: `Add a ${noun}`,
      body: jsonForm(kind.input),
      status: 201,
      answer: rule,
      errors: ['invalid', 'too many'],
      example: { url: path, body: kind.added },
      handle: ({ office, body }) => rulesOf(office()).add(body),
    }),
    endpoint({
      method: 'DELETE',
      path,
      operationId: `delete${name}s`,
      summary: `Delete all ${noun}s`,
      handle: ({ office }) => rulesOf(office()).clear(),
    }),
  ];
}

function singleRules<Input extends z.ZodObject, Rule extends Row>(kind: RuleKind<Input, Rule>) {
  const { noun, name, id, rule, rulesOf } = kind;
  const path = `${kind.path}/:${id}` as const;
  return [
    endpoint({
      method: 'PUT',
      path,
      operationId: `replace${name}`,
      summary: `Replace a ${noun} in its place; \`off\` switches it off`,
      body: jsonForm(kind.input),
      answer: rule,
      errors: ['missing', 'invalid'],
      example: { url: `${kind.path}/1`, body: kind.replaced },
      handle: ({ office, params, body }) =>
        rulesOf(office()).replace(parseId(kind.noun, params[id]), body),
    }),
    endpoint({
      method: 'DELETE',
      path,
      operationId: `delete${name}`,
      summary: `Delete a ${noun}`,
      errors: ['missing'],
      handle: ({ office, params }) => rulesOf(office()).remove(parseId(kind.noun, params[id])),
    }),
  ];
}

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
    answer: z.array(HeldView),
    handle: ({ office }) => office().held(),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/holds/:name/release',
    operationId: 'releaseHold',
    summary: 'Send the responses held under a name; hold no later ones',
    answer: z.strictObject({ released: z.int().describe('Number of responses that were held') }),
    errors: [],
    example: { url: '/_backlot/holds/orders/release' },
    handle: ({ office, params }) => ({ released: office().release(params.name) }),
  }),
];

const PreviewView = z.strictObject({
  matched: z.int().describe('Number of recorded requests that it would have matched'),
  of: z.int().describe('Number of recorded requests'),
  entries: z.array(z.int()).describe('Ids of the last 100 of them'),
});
export type PreviewView = z.output<typeof PreviewView>;

/** Tells which recorded requests a rule would have matched. */
export function previewEndpoints(api: ApiDefinition): readonly ControlEndpoint[] {
  const input = z.strictObject({
    fault: faultInput(api.tables.faultRules).optional().describe('A fault, as it would be added'),
    script: api.script.input.optional().describe('A script, as it would be added'),
  });
  return [
    endpoint({
      method: 'POST',
      path: '/_backlot/rules/preview',
      operationId: 'previewRule',
      summary: 'Count the recorded requests that a fault or a script would have matched',
      body: jsonForm(input),
      answer: PreviewView,
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
            ? api.control?.parts().matchesScript(backOffice.shop, entry, script)
            : matchesFault(entry, fault.match, api.path),
        );
        const entries = matched.slice(-100).map(({ id }) => id);
        return { matched: matched.length, of: recorded.length, entries };
      },
    }),
  ];
}

function matchesFault(
  { method, url, endpoint: row = '', session, step, request }: JournalEntry,
  match: Parameters<typeof unmetOf>[0],
  apiPath: string,
): boolean {
  const { path } = parseTarget(url);
  const ofPath = valuesInPath(row.slice(row.indexOf('/')), path);
  const parameter = (name: string) => {
    const way = parseParameterName(name);
    return ofPath[name] ?? valueAt(request.query, way) ?? valueAt(request.body, way);
  };
  return (
    unmetOf(match, { method, path, session, step, parameter }, partsOf(path), apiPath) === undefined
  );
}

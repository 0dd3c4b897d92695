import * as z from 'zod';
import type { ApiDefinition, ApiEndpoint, CheckoutDefinition, StepRow } from '../definition/api.ts';
import { Problem } from '../lib/problem.ts';
import { form } from '../rest/form.ts';
import type { Example } from '../rest/endpoint.ts';
import { bodyShape, described, exampleBody, inWords, referenceIssues } from './field-set.ts';
import { userIssues } from './user-check.ts';
import { callOf } from './user-endpoint.ts';
import type { StepOptions } from './resource.ts';

/** The steps of an extension, by name. */
export type Steps = Readonly<Record<string, StepOptions>>;

/** Returns the steps of an API in their order, with those of an extension among them. */
export function extendedSteps(
  { steps }: ApiDefinition,
  added: Steps,
  checkout: CheckoutDefinition | undefined,
): readonly StepRow[] {
  if (checkout === undefined || Object.keys(added).length === 0) return steps;
  const rows = [...steps];
  for (const [name, options] of Object.entries(added)) {
    let at = rows.findIndex((row) => row.name === options.after) + 1;
    // Steps after the same one keep their order.
    while (added[rows[at]?.name ?? '']?.after === options.after) at++;
    rows.splice(at, 0, addedStep(name, options, checkout));
  }
  let from: string | undefined = rows.find((row) => row.from !== undefined)?.from;
  return rows.map((row) => {
    if (row.to === undefined || from === undefined) return row;
    const linked = { ...row, from };
    if (!row.optional) from = row.to;
    return linked;
  });
}

function addedStep(name: string, options: StepOptions, checkout: CheckoutDefinition): StepRow {
  const { optional, body } = options;
  return {
    name,
    from: '',
    to: name,
    ...(optional === true && { optional }),
    added: true,
    implementation: checkout.step(name, {
      defaultInput: exampleBody(body),
      submit(shop, record, input, charge) {
        const chargeIt = (one: { readonly id: number }, description: string, amount: number) => {
          if (one.id !== record.id)
            throw new Problem('fault', `The step ${name} of ${record.id} charges ${one.id}`);
          charge(description, amount);
        };
        const call = callOf({ shop, subject: record, body: input, params: {} }, checkout.singular);
        options.submit({ ...call, charge: chargeIt });
      },
    }),
  };
}

/** Returns the endpoints of the steps of an API, with those of an extension. */
export function stepEndpoints(
  api: ApiDefinition,
  steps: readonly StepRow[],
  added: Steps,
  checkout: CheckoutDefinition | undefined,
): ApiEndpoint[] {
  if (checkout === undefined) return [];
  return Object.entries(added).map(([name, options]) => {
    const { body: fields, summary = inWords(name) } = options;
    return checkout.endpoint({
      name,
      summary,
      body: form(bodyShape(fields, described)),
      example: { ...exampleAt(api, steps, name), body: options.example ?? exampleBody(fields) },
      check: (call) => [
        ...referenceIssues(fields, call.shop.db, call.body),
        ...userIssues(
          `steps.${name}.check`,
          options.check?.(callOf(call, checkout.singular)) ?? [],
        ),
      ],
    });
  });
}

/** Returns the example of a record that has come to a step: that of the next step of the API. */
function exampleAt({ endpoints }: ApiDefinition, steps: readonly StepRow[], name: string): Example {
  const later = steps.slice(steps.findIndex((row) => row.name === name));
  const next = later.find(({ added }) => added === undefined)?.name;
  return endpoints.find(({ step }) => step === next)!.example;
}

/** Returns the schema of states with those of added steps, by the one that it stands in for. */
export function statesWith(
  { tables }: ApiDefinition,
  added: Steps,
  checkout: CheckoutDefinition | undefined,
): ReadonlyMap<z.ZodType, z.ZodType> {
  const names = Object.keys(added);
  const table = tables[checkout?.table ?? ''];
  const schema: unknown = table?.schema.shape[checkout?.field ?? ''];
  if (!(schema instanceof z.ZodEnum) || names.length === 0) return new Map();
  return new Map([[schema, z.enum([...schema.options.map(String), ...names])]]);
}

/** Adds to examples the steps that a record has to take before them, because an extension added them. */
export function withPreparations(
  endpoints: readonly ApiEndpoint[],
  steps: readonly StepRow[],
): readonly ApiEndpoint[] {
  const required = steps.filter(({ added, optional }) => added !== undefined && !optional);
  return endpoints.map((row) => {
    const next = steps.findIndex(({ name }) => name === row.step);
    const before = required.flatMap((step) => {
      const own = endpoints.find((one) => one.step === step.name);
      const isNext = steps.indexOf(step) < next && own?.example.url === row.example.url;
      return own && isNext ? [{ method: own.method, ...own.example }] : [];
    });
    return before.length === 0 ? row : { ...row, example: { ...row.example, before } };
  });
}

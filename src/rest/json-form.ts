import type * as z from 'zod';
import type { Form, FormChildren } from './form.ts';
import { issuesOf } from './issues.ts';

/** A body that is a file. Its schema describes it; whoever takes the file checks it. */
export function fileForm(schema: z.ZodObject): Form<unknown> {
  return { ...jsonForm(schema), isFile: true, parse: (sent) => ({ values: sent, issues: [] }) };
}

/**
 * A body that only JSON can carry: nothing is brought from one kind to another, and what a schema says of a mistake is
 * what the answer says. Parameters that the schema does not know are mistakes of the form.
 */
export function jsonForm<Schema extends z.ZodObject>(schema: Schema): Form<z.output<Schema>> {
  return {
    schema,
    isJson: true,
    children: Object.fromEntries(
      Object.keys(schema.shape).map((name): [string, FormChildren | undefined] => [
        name,
        undefined,
      ]),
    ),
    parse(sent) {
      const result = schema.safeParse(sent);
      if (result.success) return { values: result.data, issues: [] };
      return { values: sent as z.output<Schema>, issues: issuesOf(schema, result.error) };
    },
  };
}

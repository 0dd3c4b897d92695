import { endpoint } from '../endpoint.ts';
import { parseId } from '../../lib/names.ts';
import { Problem } from '../../lib/problem.ts';
import type { AnyTable } from '../../store/database.ts';
import type { Row } from '../../store/row.ts';

/** The order in which rules are tried: that of their numbers. */
export const ruleOrderEndpoints = (
  [
    ['faults/:fault_id', 'Fault', 'fault', 'faultRules'],
    ['script/:rule_id', 'ScriptRule', 'script', 'scriptRules'],
  ] as const
).map(([path, name, noun, table]) =>
  endpoint({
    method: 'POST',
    path: `/_backlot/${path}/earlier`,
    operationId: `try${name}Earlier`,
    summary: `Try a ${noun} before the one in front of it: the two swap their numbers`,
    errors: ['missing'],
    handle({ office, params }) {
      const [id = ''] = Object.values(params);
      moveEarlier(office().shop.db[table], noun, parseId(noun, id));
    },
  }),
);

/** @param table undefined if the API has no such rules @throws Problem `missing` */
function moveEarlier(table: AnyTable | undefined, noun: string, id: number): void {
  const rules = table?.page(0, table.count()) ?? [];
  const at = rules.findIndex((rule) => rule.id === id);
  const [before, rule] = [rules[at - 1], rules[at]];
  if (table === undefined || rule === undefined)
    throw new Problem('missing', `There is no ${noun} ${id}.`);
  if (before === undefined) return;
  table.change(before.id, { ...contentOf(rule, before), id: before.id });
  table.change(id, { ...contentOf(before, rule), id });
}

/** The fields of a rule, and those that only another one has, unset. */
function contentOf(rule: Row, other: Row): Record<string, unknown> {
  const unset = Object.keys(other).map((name) => [name, undefined] as const);
  return { ...Object.fromEntries(unset), ...rule };
}

import type { ControlContext } from '../endpoint.ts';
import { endpoint } from '../endpoint.ts';
import { parseId } from '../../lib/names.ts';
import { Problem } from '../../lib/problem.ts';
import { tablesOf, type AnyTable } from '../../store/database.ts';
import type { Row } from '../../store/row.ts';

/** The order in which rules are tried: that of their numbers. */
export const ruleOrderEndpoints = (
  [
    ['faults/:fault_id', 'Fault', 'fault', 'fault_rules'],
    ['script/:rule_id', 'ScriptRule', 'script', 'script_rules'],
  ] as const
).map(([path, name, noun, table]) =>
  endpoint({
    method: 'POST',
    path: `/_backlot/${path}/earlier`,
    operationId: `try${name}Earlier`,
    summary: `Try a ${noun} before the one in front of it: the two swap their numbers`,
    errors: ['missing'],
    example: { url: `/_backlot/${path.replace(/:.*/, '1')}/earlier` },
    handle({ office, params }) {
      const [id = ''] = Object.values(params);
      moveEarlier(rulesOf(office(), table), parseId(noun, id));
    },
  }),
);

/** Undefined if the API has no such rules. */
function rulesOf(
  { shop }: ReturnType<ControlContext['office']>,
  name: string,
): AnyTable | undefined {
  return tablesOf(shop.db)
    .all()
    .find(({ definition }) => definition.name === name);
}

/** @throws Problem `missing` */
function moveEarlier(table: AnyTable | undefined, id: number): void {
  const rules = table?.page(0, table.count()) ?? [];
  const at = rules.findIndex((rule) => rule.id === id);
  const [before, rule] = [rules[at - 1], rules[at]];
  if (table === undefined || rule === undefined)
    throw new Problem(
      'missing',
      `There is no ${table?.definition.name === 'fault_rules' ? 'fault' : 'script'} ${id}.`,
    );
  if (before === undefined) return;
  table.change(before.id, { ...contentOf(rule, before), id: before.id });
  table.change(id, { ...contentOf(before, rule), id });
}

/** The fields of a rule, and those that only another one has, unset. */
function contentOf(rule: Row, other: Row): Record<string, unknown> {
  const unset = Object.keys(other).map((name) => [name, undefined] as const);
  return { ...Object.fromEntries(unset), ...rule };
}

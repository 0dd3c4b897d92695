import { invalidFields, Problem } from '../lib/problem.ts';
import type { Database } from '../models/database.ts';
import type { FaultRule } from '../models/fault-rule.ts';
import type { Atomic } from '../store/transaction.ts';
import { limitedHeaderIssues } from './fault-headers.ts';
import { addFault, type FaultRuleInput } from './fault-rules.ts';

/** The faults of a back office: which requests fail, how often, and how. */
export interface FaultsApi {
  /**
   * Adds a fault after the others.
   *
   * @throws Problem `invalid` for a rule that is malformed or can never apply
   */
  add(rule: FaultRuleInput): FaultRule;
  /** Returns the faults in the order in which they are tried. */
  list(): readonly FaultRule[];
  /** @throws Problem `missing` */
  remove(id: number): void;
  /** Removes all faults. */
  clear(): void;
}

/**
 * @param options.session the session of the back office
 * @param options.limitFaultHeaders whether faults may set only some headers
 */
export function createFaultsApi(
  { db }: { readonly db: Pick<Database, 'faultRules'> },
  atomic: Atomic,
  {
    session,
    limitFaultHeaders = false,
  }: { readonly session?: string | undefined; readonly limitFaultHeaders?: boolean | undefined },
): FaultsApi {
  const { faultRules } = db;
  const list = () => faultRules.page(0, faultRules.count());
  return {
    add: (rule) =>
      atomic(() => {
        const added = addFault(db, rule);
        const issues = limitFaultHeaders ? limitedHeaderIssues(added) : [];
        if (issues.length > 0) throw invalidFields(issues);
        assertOwnSession(added.match.session, session);
        return added;
      }),
    list,
    remove: (id) => void faultRules.remove(id),
    clear() {
      for (const { id } of list()) faultRules.remove(id);
    },
  };
}

function assertOwnSession(wanted: string | undefined, session: string | undefined): void {
  if (wanted === undefined || wanted === session) return;
  const own = session === undefined ? 'no session' : `session ${session}`;
  const message = `This back office serves ${own} and receives no request of session ${wanted}. Add the rule there.`;
  throw new Problem('invalid', message, { fields: [{ path: ['match', 'session'], message }] });
}

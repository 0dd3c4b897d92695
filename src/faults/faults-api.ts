import { invalidFields } from '../checkout/refusal.ts';
import type { FaultRule } from '../models/fault-rule.ts';
import { Problem } from '../lib/problem.ts';
import { limitedHeaderIssues } from './fault-headers.ts';
import { addFault, type FaultRuleInput } from './fault-rules.ts';
import type { Atomic } from '../store/transaction.ts';
import type { FaultShop } from './select-faults.ts';

/** The faults of a back office: which requests go wrong, how often, and how. */
export interface FaultsApi {
  /** @throws Problem `invalid` for a rule that is malformed, or that could never do anything */
  add(rule: FaultRuleInput): FaultRule;
  /** In the order in which they are asked. */
  list(): readonly FaultRule[];
  /** @throws Problem `missing` */
  remove(id: number): void;
  clear(): void;
}

/** @param limitFaultHeaders whether only some headers may be set */
export function createFaultsApi(
  shop: FaultShop,
  whole: Atomic,
  {
    session,
    limitFaultHeaders = false,
  }: { readonly session?: string | undefined; readonly limitFaultHeaders?: boolean | undefined },
): FaultsApi {
  const { faultRules } = shop.db;
  const list = () => faultRules.page(0, faultRules.count());
  return {
    add: (rule) =>
      whole(() => {
        const added = addFault(shop.db, rule);
        const problems = limitFaultHeaders ? limitedHeaderIssues(added) : [];
        if (problems.length > 0) throw invalidFields(problems);
        refuseOther(added.match.session, session);
        return added;
      }),
    list,
    remove: (id) => void faultRules.remove(id),
    clear() {
      for (const { id } of list()) faultRules.remove(id);
    },
  };
}

function refuseOther(wanted: string | undefined, session: string | undefined): void {
  if (wanted === undefined || wanted === session) return;
  const own = session === undefined ? 'has no session' : `is that of session ${session}`;
  const message = `This back office ${own} and sees no request of session ${wanted}; add the rule there.`;
  throw new Problem('invalid', message, { fields: [{ path: ['match', 'session'], message }] });
}

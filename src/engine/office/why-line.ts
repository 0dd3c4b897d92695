import type { EngineShop } from '../definition/api.ts';
import {
  RecordedExchange,
  type Exchange,
  type JournalEntry,
} from '../journal/recorded-exchange.ts';
import { redactText } from '../journal/redaction.ts';
import { isDelivered } from '../rest/delivery.ts';
import { truncate } from '../lib/problem.ts';
import { refusedText } from '../definition/explanation-text.ts';
import { outcomeOf } from './outcome.ts';
import { refusedFields } from './refused-fields.ts';

/** Maximum number of characters of a line, and of refused fields in it. */
const [maxLine, maxFields] = [400, 3];

/**
 * Returns why a request has its response, in one line: its refused fields, or the rules and faults that applied to it.
 *
 * @returns undefined if it was accepted, and no rule applied
 */
export function whyLine(
  shop: EngineShop,
  entry: JournalEntry,
  fieldCount = maxFields,
): string | undefined {
  if (!isDelivered(entry.state)) return undefined;
  // A rule of the script has refused what the endpoint would accept.
  const refused = entry.script.length > 0 ? [] : refusedFields(shop, entry);
  const shown = refused.slice(0, fieldCount).map(refusedText);
  const more = refused.length > fieldCount ? [`and ${refused.length - fieldCount} more`] : [];
  const parts = refused.length > 0 ? [...shown, ...more] : appliedRules(shop, entry);
  return parts.length === 0 ? undefined : truncate(parts.join('; '), maxLine);
}

/** `declined by script 2 (card ends in 0002)` */
function appliedRules(shop: EngineShop, entry: JournalEntry): string[] {
  const { answer, faults, script, endpoint, step } = entry;
  const body = answer.body === undefined ? undefined : JSON.stringify(answer.body);
  const head = { ...entry, endpoint, step, status: answer.status };
  const { outcome, reason } = outcomeOf({ head, body }, shop.api.steps);
  const tried = script.length === 0 ? [] : (shop.api.explain?.parts().script(shop, entry) ?? []);
  const rules = tried.flatMap(({ rule, applied, because }) => {
    const facts = because.map(({ wanted }) => wanted).join(', ');
    return applied ? [`script ${rule}${facts === '' ? '' : ` (${facts})`}`] : [];
  });
  const named = [...rules, ...faults.map((fault) => `fault ${fault}`)];
  if (outcome === 'ok') return named;
  if (named.length > 0) return [`${outcome} by ${named.join(', ')}`];
  return [reason === undefined ? outcome : `${outcome}: ${reason}`];
}

/** Returns the value of the header `X-Backlot-Why`: the first reason, or the total of an order, in printable ASCII. */
export function whyHeader(
  shop: EngineShop,
  exchange: Omit<Exchange, 'state'>,
  session: string | undefined,
): string | undefined {
  const entry = new RecordedExchange(1, shop.clock.now(), { ...exchange, state: 'sent' }).entry(
    session,
  );
  const line = whyLine(shop, entry, 1) ?? shop.api.explain?.parts().success(shop, entry);
  return line === undefined ? undefined : ascii(redactText(line));
}

/** Replaces what a header cannot have: accents are left out, other characters become `?`. */
function ascii(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[‐-―−]/gu, '-');
  return plain.replaceAll('…', '...').replaceAll(/[^ -~]/gu, '?');
}

import type { EngineShop } from '../definition/api.ts';
import { RecordedExchange, type Exchange } from '../journal/recorded-exchange.ts';
import { redactText } from '../journal/redaction.ts';
import { truncate } from '../lib/problem.ts';
import { jsonHeaders } from '../rest/errors.ts';
import type { ApiResponse } from '../rest/message.ts';
import type { Move, RecordChange } from './changes.ts';
import { whyLine } from './why-line.ts';

/** What a request changed, as the history has it. */
export interface Changed {
  readonly changes: readonly RecordChange[];
  readonly moves: readonly Move[];
}

/** Maximum number of lines about changes, and of characters of a value in them and of the reason. */
const [maxLines, maxValue, maxWhy] = [8, 24, 200];

/** Fields that change with every write, or that repeat a move. */
const dull = /^(id|created_at|updated_at|expires_at|state|checkout_state|inventory_state)$/;

/**
 * Returns the response to a request with `Prefer: return=minimal`: the status, what changed, why not, what is due and what can
 * be sent next, in the place of the body. A status 204 becomes 200, because it has no body.
 *
 * @param changed undefined without a history
 */
export function briefResponse(
  shop: EngineShop,
  exchange: Omit<Exchange, 'state'>,
  changed: Changed | undefined,
): ApiResponse {
  const { answer } = exchange;
  const entry = new RecordedExchange(1, shop.clock.now(), { ...exchange, state: 'sent' }).entry(
    undefined,
  );
  const why = answer.status < 400 ? undefined : whyLine(shop, entry);
  const { control } = shop.api;
  const following = control?.isLoaded() === true ? control.parts().follow?.(shop, entry) : {};
  const brief = {
    status: answer.status,
    ...(changed !== undefined && {
      changed: limited(changed.changes.flatMap(changeLines)),
      moves: limited(changed.moves.map(moveLine)),
    }),
    ...(why !== undefined && { why: truncate(redactText(why), maxWhy) }),
    ...following,
  };
  return {
    ...answer,
    status: answer.status === 204 ? 200 : answer.status,
    headers: { ...answer.headers, ...jsonHeaders },
    body: JSON.stringify(brief),
  };
}

/** `orders/3 total: 4200 → 3800`, `+ payments/7` */
function changeLines({ table, id, kind, fields }: RecordChange): string[] {
  if (kind !== 'change') return [`${kind === 'add' ? '+' : '-'} ${table}/${id}`];
  return fields
    .filter(({ field }) => !dull.test(field))
    .map((one) => `${table}/${id} ${one.field}: ${shown(one.before)} → ${shown(one.after)}`);
}

function moveLine({ machine, id, from, to }: Move): string {
  return `${machine} ${id}: ${from === undefined ? to : `${from} → ${to}`}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : truncate(JSON.stringify(value), maxValue);
}

function limited(lines: readonly string[]): readonly string[] {
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more`];
}

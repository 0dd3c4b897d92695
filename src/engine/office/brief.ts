import type * as z from 'zod';
import type { EngineShop } from '../definition/api.ts';
import {
  RecordedExchange,
  type Exchange,
  type JournalEntry,
} from '../journal/recorded-exchange.ts';
import { isObject } from '../lib/json-value.ts';
import { mask, redactText } from '../journal/redaction.ts';
import { truncate } from '../lib/problem.ts';
import { jsonHeaders } from '../rest/errors.ts';
import type { Immutable } from '../rest/endpoint.ts';
import type { ApiResponse } from '../rest/message.ts';
import type { Move, RecordChange } from './changes.ts';
import type { BriefView } from './history-view.ts';
import { whyLine } from './why-line.ts';

/** What a request changed, as the history has it. */
export interface Changed {
  readonly changes: readonly RecordChange[];
  readonly moves: readonly Move[];
}

/** What a request, or another entry of the history, led to. */
export type Brief = Immutable<z.output<typeof BriefView>>;

/** Maximum number of bytes of the fields that were read, and of characters of a value in them. */
const [maxRead, maxReadValue] = [300, 40];

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
  return {
    ...answer,
    status: answer.status === 204 ? 200 : answer.status,
    headers: { ...answer.headers, ...jsonHeaders },
    body: JSON.stringify(briefOf(shop, entry, changed)),
  };
}

/**
 * Returns what a request led to, in at most 1,000 bytes of JSON.
 *
 * @param entry undefined for what is no request
 * @param changed undefined without a history
 */
export function briefOf(
  shop: EngineShop,
  entry: JournalEntry | undefined,
  changed: Changed | undefined,
): Brief {
  const status = entry?.answer.status;
  const why = entry === undefined || entry.answer.status < 400 ? undefined : whyLine(shop, entry);
  const { control } = shop.api;
  const following =
    entry !== undefined && control?.isLoaded() === true
      ? control.parts().follow?.(shop, entry)
      : {};
  return {
    status,
    read: readOf(shop, entry),
    changed: changed && limited(changed.changes.flatMap(changeLines)),
    moves: changed && limited(changed.moves.map(moveLine)),
    why: why && truncate(redactText(why), maxWhy),
    ...following,
  };
}

/** Returns the plain fields of what was read, those first that say most, in about 300 bytes. */
function readOf({ api }: EngineShop, entry: JournalEntry | undefined): Brief['read'] {
  if (entry?.method !== 'GET' || entry.answer.status >= 300) return undefined;
  const body: unknown = entry.answer.body;
  if (Array.isArray(body)) return { count: body.length };
  if (!isObject(body)) return undefined;
  const first = ['id', ...api.machines.map(({ field }) => field), 'total'];
  const names = new Set([...first.filter((name) => name in body), ...Object.keys(body)]);
  const read: Record<string, unknown> = {};
  let left = maxRead;
  for (const name of names) {
    const value = body[name];
    if (typeof value === 'object' || value === mask) continue;
    read[name] = typeof value === 'string' ? truncate(value, maxReadValue) : value;
    left -= new TextEncoder().encode(JSON.stringify([name, read[name]])).length;
    if (left < 0) break;
  }
  return Object.keys(read).length === 0 ? undefined : read;
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

import { isDelivered } from '../../rest/delivery.ts';
import type { JournalEntry } from '../../journal/recorded-exchange.ts';
import { isObject } from '../../lib/json-value.ts';
import type { BackOffice } from '../back-office.ts';
import { valuesAfter } from '../changes.ts';
import { bodyToSend, headersOf } from '../export/request-text.ts';
import { canBeSent } from '../export/sent-lines.ts';
import type { HistoryEntry } from '../history-api.ts';

/** A value that differs: `status`, `items.0.total`, `orders 3 state`. Undefined where there is none. */
export interface Difference {
  readonly path: string;
  readonly recorded: unknown;
  readonly now: unknown;
}

/** The result of replaying an entry of a trace. */
export interface Replayed {
  readonly id: number;
  readonly title: string;
  /** Whether it was done again; if not, what it led to was taken from the trace. */
  readonly isRepeated: boolean;
  readonly differences: readonly Difference[];
}

/**
 * Does again what the entries of a trace did: sends the requests, with others in place of their secrets, and moves the clock.
 *
 * @param recorded a back office that has opened the trace
 * @param other one in the state with which the trace begins, whose history is on
 */
export function* replaySession(recorded: BackOffice, other: BackOffice): Generator<Replayed> {
  const { history } = recorded;
  for (const { id, title, by } of history.entries({ limit: Infinity })) {
    const entry = history.entry(id);
    if (!entry.rewindable || (by !== 'request' && by !== 'clock' && entry.changes.length === 0))
      continue;
    const last = other.history.entries({ limit: 1 })[0]?.id ?? 0;
    const isRepeated = repeat(entry, other);
    if (!isRepeated) other.reset(history.export({ as: 'scenario', to: id }));
    const made = other.history.entries({ since: last }).map((one) => other.history.entry(one.id));
    yield { id, title, isRepeated, differences: isRepeated ? differencesOf(entry, made) : [] };
  }
}

/** Returns whether an entry can be done again, and does it. */
function repeat({ by, at, exchange }: HistoryEntry, office: BackOffice): boolean {
  const isSent = exchange !== undefined && canBeSent(exchange, office.settings);
  if (by !== 'clock' && !isSent) return false;
  // What became due without a move of the clock happens then.
  if (by === 'clock' || office.clock.now() !== at) office.clock.set(at);
  if (exchange !== undefined) send(exchange, office);
  return true;
}

function send(exchange: JournalEntry, office: BackOffice): void {
  const { authorization, 'x-backlot-session': _, ...headers } = headersOf(exchange);
  const body = bodyToSend(exchange, headers, office.shop.api.testCards ?? []);
  const isKnown = authorization !== undefined && exchange.answer.status !== 401;
  office.answer({
    method: exchange.method,
    url: exchange.url,
    headers: {
      ...headers,
      ...(authorization !== undefined && {
        authorization: isKnown ? `Bearer ${tokenOf(office)}` : authorization,
      }),
    },
    ...(body !== undefined && { body }),
  });
}

/** Returns the last token that a client has got. */
function tokenOf(office: BackOffice): string {
  const tokens = office.export().tables['tokens']?.rows ?? [];
  return String(tokens.findLast((token) => token['kind'] === 'access')?.['value']);
}

function differencesOf(recorded: HistoryEntry, made: readonly HistoryEntry[]): Difference[] {
  const now = made.at(-1);
  const [one, other] = [recorded.exchange?.answer, now?.exchange?.answer];
  const changes = one === undefined ? made.flatMap((entry) => entry.changes) : now?.changes;
  const isSent = isDelivered(recorded.exchange?.state);
  const [before, after] = [recorded.changes, changes ?? []].map(valuesAfter);
  return [
    ...(isSent ? differences('status', one?.status, other?.status) : []),
    ...(isSent && one?.left_out === undefined ? differences('', one?.body, other?.body) : []),
    ...differences('', before, after, ' '),
  ];
}

/** Compares two values, object by object. */
function differences(path: string, recorded: unknown, now: unknown, dot = '.'): Difference[] {
  if (JSON.stringify(recorded) === JSON.stringify(now)) return [];
  if (!isObject(recorded) || !isObject(now)) return [{ path, recorded, now }];
  return [...new Set([...Object.keys(recorded), ...Object.keys(now)])].flatMap((name) =>
    differences(path === '' ? name : `${path}${dot}${name}`, recorded[name], now[name], dot),
  );
}

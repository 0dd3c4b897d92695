import type { EngineShop, Task } from '../definition/api.ts';
import { RecordedAction } from '../journal/recorded-action.ts';
import type { RequestHead } from '../journal/recorded-exchange.ts';
import { shortMeaning } from '../journal/sentence.ts';
import { segmentsOf } from '../lib/api-path.ts';
import { truncate } from '../lib/problem.ts';
import { pluralOf, singularOf } from '../lib/words.ts';
import {
  changesOf,
  movesOf,
  netWrites,
  type Move,
  type RowWrite,
  type Transition,
} from './changes.ts';
import type { EntryDetails, Recorded } from './history-api.ts';
import type { RequestOutcome } from './outcome.ts';

/** What an entry wrote. */
export interface Written {
  readonly writes: readonly RowWrite[];
  readonly made: readonly Transition[];
}

/**
 * Tells what an entry did in a verb, an object and a sum, which its sender stands before: `paid order 119, 54.40 EUR`,
 * `could not pay order 119: card declined`, `moved the clock +1 day: 14 carts abandoned`.
 *
 * @param written undefined if it changed nothing, or the changes are not kept
 */
export function meaningOf(
  shop: EngineShop,
  recorded: Recorded,
  result: RequestOutcome,
  written: Written | undefined,
): string {
  if (recorded instanceof RecordedAction)
    return shortMeaning(actionMeaning(shop, recorded, written), recorded);
  const { head } = recorded;
  const did = written && deedOf(shop, written);
  return shortMeaning(requestMeaning(shop, head, result, did), head);
}

function actionMeaning(
  shop: EngineShop,
  { by, title, at, details }: RecordedAction<EntryDetails>,
  written: Written | undefined,
): string {
  if (by === 'clock') {
    const way = clockMove(details?.clock.now ?? at, at);
    const due = written === undefined ? undefined : dueText(shop, written);
    return `${way === undefined ? 'set the clock' : `moved the clock ${way}`}${due === undefined ? '' : `: ${due}`}`;
  }
  const did = written && deedOf(shop, written);
  return did ?? (/^[A-Z]+ \//.test(title) ? `sent ${title}` : title);
}

function requestMeaning(
  shop: EngineShop,
  head: RequestHead,
  { outcome, reason }: RequestOutcome,
  did: string | undefined,
): string {
  const { step, url, state } = head;
  const known = step === undefined ? undefined : shop.api.explain?.parts().task(step, url);
  const { verb, object } = known ?? taskOf(head);
  const wait = waitText(head);
  const task = `${verb[0]} ${object}`;
  if (state === 'held' || state === 'delayed') return `waits to ${task}${wait}`;
  if (state === 'client-left') return `left before it could ${task}${wait}`;
  if (outcome === 'ok' || outcome === 'different') return `${did ?? `${verb[1]} ${object}`}${wait}`;
  return `could not ${task}: ${reasonText(head, reason)}`;
}

const verbs: Readonly<Record<string, Task['verb']>> = {
  POST: ['add', 'added'],
  PUT: ['change', 'changed'],
  PATCH: ['change', 'changed'],
  DELETE: ['remove', 'removed'],
};

/** Says what a request is for by its method and path: `read order 119`, `add an item to order 121`. */
function taskOf({ method, url, endpoint }: RequestHead): Task {
  const verb = verbs[method] ?? ['read', 'read'];
  const path = url.replace(/\?.*/s, '');
  if (endpoint === undefined) return { verb, object: path };
  const names = segmentsOf(endpoint.slice(endpoint.indexOf(' '))).slice(1);
  const values = segmentsOf(path).slice(-names.length);
  const parts = names.flatMap((name, at) => {
    const id = names[at + 1]?.startsWith(':') === true ? values[at + 1] : undefined;
    return name.startsWith(':') ? [] : [{ name, id: id?.replace(/^(.{8})-.{27}$/, '$1…') }];
  });
  const [part, owner] = parts.toReversed();
  if (part === undefined) return { verb, object: path };
  const preposition = { POST: 'to', DELETE: 'from' }[method] ?? 'of';
  const of = owner?.id === undefined ? '' : ` ${preposition} ${singularOf(owner.name)} ${owner.id}`;
  const one = singularOf(part.name);
  if (part.id !== undefined) return { verb, object: `${one} ${part.id}${of}` };
  const article = /^(?!uni|use|eu)[aeiou]/.test(one) ? 'an' : 'a';
  const name = method === 'POST' ? `${article} ${one}` : part.name.replaceAll('-', ' ');
  return { verb, object: `${name}${of}` };
}

/** The names of the fields that were rejected, or why else in a few words: `unitPrice, quantity`, `it awaits addressing`. */
function reasonText({ status, endpoint }: RequestHead, reason = ''): string {
  if (status === 404) return endpoint === undefined ? 'no endpoint' : 'not found';
  const [, rule] = /^((?:declined by )?(?:fault|script) [\d, ]+)(?=: |$)/.exec(reason) ?? [];
  if (rule !== undefined) return status === 0 ? `dropped by ${rule}` : rule;
  if (reason === '') return status === 0 ? 'dropped' : `status ${status}`;
  const [first = '', also] = reason.replace(/\.$/, '').split(' Also ');
  const [, field = first.replace(/^This form should not contain |^.*: /s, '')] =
    /^([\w.]+): /.exec(first) ?? [];
  return also === undefined ? field : `${field.replace(/\.$/, '')}, ${also}`;
}

/** `, held by fault 2`, `, +2 s by fault 1`: what a response waits for, and what made it. */
function waitText({ hold, delay = 0, faults, script }: RequestHead): string {
  const waits = [hold === undefined ? [] : 'held', delay === 0 ? [] : `+${secondsText(delay)}`];
  if (waits.flat().length === 0) return '';
  const [kind, ids] = faults.length > 0 ? ['fault', faults] : ['script', script];
  const by = ids.length === 0 ? '' : ` by ${kind} ${ids.join(' and ')}`;
  return `, ${waits.flat().join(' and ')}${by}`;
}

function secondsText(delay: number): string {
  return delay < 1000 ? `${delay} ms` : `${delay / 1000} s`;
}

/** Says what writes did: in the words of the API, or else by the records that have states first. */
function deedOf(shop: EngineShop, { writes, made }: Written): string | undefined {
  const net = netWrites(writes);
  const known = shop.api.explain?.parts().deed(shop, net);
  if (known !== undefined) return known;
  const { machines, tables } = shop.api;
  const kinds = net.map((write) => ({ ...write, kind: kindOf(write) }));
  const [main] = kinds.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (main === undefined) return undefined;
  const same = kinds.filter(({ table, kind }) => table === main.table && kind === main.kind);
  const noun =
    Object.values(tables).find(({ name }) => name === main.table)?.singular ?? main.table;
  const name = same.length > 1 ? `${same.length} ${pluralOf(noun)}` : `${noun} ${main.id}`;
  if (main.kind !== 'changed') return `${main.kind} ${name}`;
  const states = lastMoves(movesOf(machines, same, made));
  const [state] = states;
  if (state !== undefined && states.every(({ to }) => to === state.to))
    return isPast(state.to) ? `${state.to} ${name}` : `changed ${name} to ${state.to}`;
  return same.length > 1 ? `changed ${name}` : fieldText(main, name);

  /** Records with states come first, in the order of the machines, then what was added or removed. */
  function rankOf({ table, kind }: { readonly table: string; readonly kind: string }): number {
    const at = machines.findIndex((machine) => machine.table === table);
    return (at === -1 ? machines.length : at) + (kind === 'changed' ? 0.5 : 0);
  }
}

function kindOf({ before, after }: RowWrite): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

/** Whether a state, or the name of a flag, says what was done: `shipped`, `released`. */
function isPast(word: string): boolean {
  return /ed$|^sold$/.test(word) && word !== 'failed';
}

/** `changed user 1: first_name Aoife → Grace`, `released fault 1` */
function fieldText(write: RowWrite, name: string): string {
  const fields = (changesOf([write])[0]?.fields ?? []).filter(
    ({ field }) => field !== 'updated_at',
  );
  const [first, ...others] = fields;
  if (first === undefined) return `changed ${name}`;
  const { field, before, after } = first;
  if (after === true && isPast(field)) return `${field} ${name}`;
  const what =
    others.length > 0
      ? fields.map((one) => one.field).join(', ')
      : `${field} ${valueText(before)} → ${valueText(after)}`;
  return `changed ${name}: ${what}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return 'unset';
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), 24);
}

/** The last move of each record. */
function lastMoves(moves: readonly Move[]): readonly Move[] {
  return [...new Map(moves.map((move) => [`${move.machine} ${move.id}`, move])).values()];
}

/** `14 carts abandoned`, `payment 97 void`: the first thing that the clock did. */
function dueText(shop: EngineShop, { writes, made }: Written): string | undefined {
  const { machines, explain } = shop.api;
  const moves = lastMoves(movesOf(machines, writes, made)).filter(({ from }) => from !== undefined);
  const nounOf = (move: Move): string => explain?.parts().dueNoun(move) ?? move.machine;
  const first = machines.flatMap(({ name }) => moves.filter(({ machine }) => machine === name))[0];
  if (first === undefined) return undefined;
  const noun = nounOf(first);
  const same = moves.filter((move) => move.to === first.to && nounOf(move) === noun);
  const name = same.length > 1 ? `${same.length} ${pluralOf(noun)}` : `${noun} ${first.id}`;
  return `${name} ${first.to}`;
}

const units = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Names the way of a clock from one date-time to another: `+1 day 2 h`, `−30 min`; undefined if it did not move. */
function clockMove(from: string, to: string): string | undefined {
  const [start = 0, end = 0] = [from, to].map((at) => Date.parse(at.replace('+0000', 'Z')));
  let left = Math.abs(end - start);
  const parts = units.flatMap(([name, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count} ${name}${name === 'day' && count > 1 ? 's' : ''}`];
  });
  return parts.length === 0 ? undefined : `${end < start ? '−' : '+'}${parts.join(' ')}`;
}

import { hintOf } from '../lib/unknown-keys.ts';
import type { EngineShop, Explanations } from '../definition/api.ts';
import {
  unmet,
  type EntryExplanation,
  type Fact,
  type StateExplanation,
  type StateMove,
  type TriedRule,
} from '../definition/explanation.ts';
import { partsOf } from '../faults/endpoint-match.ts';
import type { FaultMatch } from '../faults/fault-rule.ts';
import { unmetOf, type FaultFacts } from '../faults/select-faults.ts';
import type { JournalEntry } from '../journal/recorded-exchange.ts';
import { redactResponse } from '../journal/redaction.ts';
import { sentenceOf } from '../journal/sentence.ts';
import { addressOf } from '../lib/api-path.ts';
import { mapValues } from '../lib/json-value.ts';
import { Problem } from '../lib/problem.ts';
import { parseTarget } from '../rest/serve.ts';
import { definitionsByName } from '../store/database.ts';
import type { Move } from './changes.ts';
import type { HistoryRecorder } from './history.ts';
import type { HistoryApi, HistoryEntry } from './history-api.ts';
import { refusedFields } from './refused-fields.ts';

/** Says why, from the code that decides. Secrets are masked. */
export interface ExplainApi {
  /**
   * Returns why a record is in its state: the way there, and the transitions that are possible or not.
   *
   * @throws Problem `missing` for an unknown machine or record
   */
  state(machine: string, id: number): StateExplanation;
  /**
   * Returns which fields of a request were refused and what is accepted in their place, which faults and rules of the
   * script it was compared with, and the first thing that did not match, and why records that it changed were as they were
   * after it.
   *
   * @throws Problem `missing`
   */
  entry(id: number): EntryExplanation;
}

export function createExplainApi(shop: EngineShop, history: () => HistoryRecorder): ExplainApi {
  const { api } = shop;
  const explanations = (): Explanations => {
    if (api.explain !== undefined) return api.explain.parts();
    throw new Problem('missing', `The API ${api.name} has no explanations.`);
  };
  const tried = redacted((exchange: JournalEntry | undefined) => ({
    faults: exchange === undefined ? [] : triedFaults(shop, exchange),
    script: exchange === undefined ? [] : (api.explain?.parts().script(shop, exchange) ?? []),
  }));
  const changedBy = redacted(({ id, changes }: HistoryEntry) => {
    const { table } = explanations();
    const ids = changes.flatMap((one) => (one.table === table ? [one.id] : [])).slice(0, maxIds);
    const [key = ''] = definitionsByName(api.tables).get(table) ?? [];
    return history().within(id, () =>
      ids
        .filter((one) => shop.db[key]?.get(one) !== undefined)
        .map((one) => explanations().record(shop, one)),
    );
  });
  const functions: ExplainApi = {
    ...otherExplanations(shop, history),
    state: redacted((machine: string, id: number) =>
      explainState({ shop, history: history(), explanations: explanations() }, machine, id),
    ),
    entry: (id) => {
      const found = history().entry(id);
      const { exchange, title, outcome, reason, rewindable } = found;
      const compare = () => tried(exchange);
      return {
        entry: id,
        changesFrom: history().reach.changesFrom,
        title,
        sentence: sentenceOf(found),
        outcome,
        ...(reason !== undefined && { reason }),
        // Of a recorded request, all secrets are masked already. Examples have none.
        refused: exchange === undefined ? [] : refusedFields(shop, exchange),
        ...(rewindable ? history().within(id - 1, compare) : compare()),
        orders: rewindable && api.explain !== undefined ? changedBy(found) : [],
      };
    },
  };
  return api.ids?.accepting(shop, functions) ?? functions;
}

/** Returns the functions that explain other things than states and entries. */
function otherExplanations(shop: EngineShop, history: () => HistoryRecorder) {
  const own = shop.api.explain?.parts().others({
    shop,
    history,
    within: (entry, explain) => history().within(entry, explain),
  });
  return mapValues(own ?? {}, (explain) => redacted(explain));
}

function redacted<Given extends unknown[], Result>(
  explain: (...given: Given) => Result,
): (...given: Given) => Result {
  // Masking keeps the shape: a text stays a text. Only a number that is that of a card becomes one.
  return (...given) => redactResponse(explain(...given)) as Result;
}

interface Parts {
  readonly shop: EngineShop;
  readonly history: HistoryApi;
  readonly explanations: Explanations;
}

function explainState(
  { shop, history, explanations }: Parts,
  name: string,
  id: number,
): StateExplanation {
  const { api, db } = shop;
  const machine = api.machines.find((one) => one.name === name);
  if (machine === undefined) {
    const names = api.machines.map((one) => one.name);
    throw new Problem(
      'missing',
      `Machine ${name} not found: must be one of ${names.join(', ')}.${hintOf(name, names)}`,
    );
  }
  const { table, field } = machine;
  const next = explanations.transitions(shop, name, id);
  const [key = ''] = definitionsByName(api.tables).get(table) ?? [];
  const record: Readonly<Record<string, unknown>> = { ...db[key]?.get(id) };
  // What was undone is no part of the way, nor is the rewind that undid it.
  const way = history
    .of(table, id)
    .filter(({ by, inEffect }) => inEffect !== false && by !== 'restore' && by !== 'reset');
  const moves = way.flatMap(({ id: entry, at, by, title }): StateMove[] => {
    const all = history.entry(entry).moves;
    return all.flatMap((move, position): StateMove[] => {
      if (move.machine !== name || move.id !== id) return [];
      const { from, to, transition } = move;
      return [
        {
          ...(from !== undefined && { from }),
          to,
          ...(transition !== undefined && { transition }),
          entry,
          at,
          by,
          title,
          after: summarized(all.slice(0, position)),
          because:
            transition === undefined || by !== 'clock'
              ? []
              : explanations.due(shop, name, id, transition),
        },
      ];
    });
  });
  const { changesFrom } = history.reach;
  return { machine: name, id, state: String(record[field]), changesFrom, moves, next: [...next] };
}

/** Names at most this number of records of a move. */
const maxIds = 20;

/** Joins the moves of several records that are alike. */
function summarized(moves: readonly Move[]): StateMove['after'] {
  const alike = Map.groupBy(
    moves,
    ({ machine, to, transition }) => `${machine} ${to} ${transition}`,
  );
  return Array.from(alike.values(), ([first, ...others]) => {
    const { machine, to, transition } = first!;
    const ids = [first!, ...others].slice(0, maxIds).map(({ id }) => id);
    return { machine, to, ...(transition !== undefined && { transition }), ids };
  });
}

/** Compares all faults with a request, in their order. */
function triedFaults({ api, db }: EngineShop, entry: JournalEntry): TriedRule[] {
  const facts = entryFacts(entry, api.path);
  return db.faultRules.page(0, db.faultRules.count()).map((rule) => {
    const { id: rule_id, off, match, first, every, probability, limit } = rule;
    const because = (): Fact => {
      if (off === true) return unmet('switched on', 'switched off');
      const name = unmetOf(match, facts, partsOf(facts.path), api.path);
      if (name !== undefined) return unmetMatch(match, facts, name);
      if (limit !== undefined) return unmet(`more than ${limit.requests} in ${limit.per}`, 'fewer');
      if (first !== undefined) return unmet(`the first ${first} matches`, 'a later one');
      if (every !== undefined) return unmet(`each match number ${every}`, 'another one');
      if (probability !== undefined) return unmet(`probability ${probability}`, 'the other case');
      return unmet('added before the request', 'added later');
    };
    const applied = entry.faults.includes(rule_id);
    return { rule: rule_id, applied, because: applied ? [] : [because()] };
  });
}

function unmetMatch(match: FaultMatch, facts: FaultFacts, name: string): Fact {
  const field = (['method', 'session', 'step', 'path'] as const).find((one) => one === name);
  if (field !== undefined) return unmet(`${field} ${match[field]}`, facts[field]);
  const parameter = name.replace('parameters.', '');
  return unmet(`${parameter} ${match.parameters?.[parameter]}`, facts.parameter(parameter));
}

/** Returns the part of a recorded request that faults compare. Secrets in it are masked. */
function entryFacts(entry: JournalEntry, apiPath: string): FaultFacts {
  const { method, url, session, step, endpoint = '', request } = entry;
  const { path } = parseTarget(url);
  const parts = partsOf(path);
  const names = partsOf(addressOf(apiPath, endpoint.slice(endpoint.indexOf(' ') + 1)));
  const parameter = (name: string): unknown =>
    parts[names.indexOf(`:${name}`)] ?? request.query[name] ?? request.body?.[name];
  return { method, path, session, step, parameter };
}

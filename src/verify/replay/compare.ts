import type { FindingKind, ReceivedResponse, Report } from '../../engine/definition/drift.ts';
import { decoded } from '../../engine/lib/api-path.ts';
import { mask, redactUrl } from '../../engine/journal/redaction.ts';
import { isTimestamp } from '../../engine/lib/duration.ts';
import { isObject, valueAt } from '../../engine/lib/json-value.ts';
import { bodyPath, shown } from '../drift/finding.ts';
import { methodsIn, withoutPrefix } from '../drift/rule.ts';
import type { Place } from '../drift/client.ts';
import type { Counterparts } from './counterparts.ts';

/** Two responses to one request. */
interface Responses {
  readonly recorded: ReceivedResponse;
  readonly replayed: ReceivedResponse;
  /** Whether the recording has the body, and the headers. */
  readonly hasBody: boolean;
  readonly hasHeaders: boolean;
  /** Whether the request has written something. */
  readonly isWrite: boolean;
  /** The noun of the records that the response shows. */
  readonly noun: string;
  readonly place: Place;
}

/** The names of secrets that a server makes up. */
export const madeUp = /token|password|salt|secret|signature/i;

/** Maximum length of a message that may name records, in characters. */
const maxSentence = 2000;

/** What an export of the history has in the place of a secret. */
const masked = /^\*{3}/;

/**
 * Compares a recorded response with that of the replay: status, headers, and each value of the body. What appears for the first
 * time is noted, so that later requests and responses can be translated.
 */
export class ResponseComparison {
  readonly #known: Counterparts;
  readonly #responses: Responses;
  readonly #report: Report;

  constructor(known: Counterparts, responses: Responses, report: Report) {
    this.#known = known;
    this.#responses = responses;
    this.#report = report;
  }

  run(): void {
    const { recorded, replayed, hasBody, hasHeaders } = this.#responses;
    if (recorded.status !== replayed.status) {
      const why = valueAt(replayed.json, ['message']);
      const expected = typeof why === 'string' ? `${replayed.status}: ${why}` : replayed.status;
      this.#report('status', 'status', String(expected), recorded.status);
      return;
    }
    if (hasBody) {
      this.#learn(recorded.json, replayed.json, '');
      this.#compare(recorded.json, replayed.json, []);
    }
    if (hasHeaders) this.#compareHeaders();
  }

  #compareHeaders(): void {
    const { recorded, replayed, place } = this.#responses;
    const [from, to] = [recorded.headers, replayed.headers];
    const header = (name: string, isSame: boolean): void => {
      if (!isSame)
        this.#report('header', `header ${name}`, to[name] ?? 'no such header', from[name]);
    };
    header('content-type', mediaType(from['content-type']) === mediaType(to['content-type']));
    header('allow', methodsIn(from['allow']) === methodsIn(to['allow']));
    const path = from['location']?.replace(/^https?:\/\/[^/]+/, '');
    const location = path && this.#known.urlOf(withoutPrefix(path, place));
    header('location', location === to['location']);
  }

  /** Notes the counterparts of ids and texts that the values below a name have. */
  #learn(recorded: unknown, replayed: unknown, name: string): void {
    if (!isObject(recorded) || !isObject(replayed)) return;
    if (Array.isArray(recorded) && Array.isArray(replayed)) {
      for (const [one, other] of this.#pairs(recorded, replayed, name))
        this.#learn(one, other, name);
      return;
    }
    const noun = this.#nounOf(name);
    const [id, other] = [recorded['id'], replayed['id']];
    if (isId(id) && isId(other)) this.#known.learnId(noun, id, other);
    const isNew = this.#responses.isWrite || !isId(other) || this.#known.isNew(noun, other);
    for (const [inner, value] of Object.entries(recorded)) {
      const counterpart = replayed[inner];
      const isText = typeof value === 'string' && typeof counterpart === 'string';
      if (isText && !masked.test(value) && (madeUp.test(inner) || (inner === 'number' && isNew)))
        this.#known.learnText(value, counterpart);
      else this.#learn(value, counterpart, inner === 'items' && name === '_embedded' ? '' : inner);
    }
  }

  /** The records of the response itself, on a page or alone, have no name. */
  #nounOf(name: string): string {
    return name === '' ? this.#responses.noun : this.#known.nounOf(name);
  }

  /** Returns the items of two lists that belong together: by their ids, the others in their order. */
  #pairs(
    recorded: readonly unknown[],
    replayed: readonly unknown[],
    name: string,
  ): [unknown, unknown][] {
    const noun = this.#nounOf(name);
    const byId = new Map(replayed.map((item) => [valueAt(item, ['id']), item]));
    const counterpart = (item: unknown): unknown => {
      const id = valueAt(item, ['id']);
      return isId(id) ? byId.get(this.#known.idOf(noun, id)) : undefined;
    };
    const known = new Map(recorded.map((item) => [item, counterpart(item)]));
    const taken = new Set(known.values());
    const others = replayed.filter((item) => !taken.has(item)).values();
    return recorded.map((item) => [item, known.get(item) ?? others.next().value]);
  }

  #compare(recorded: unknown, replayed: unknown, path: readonly PropertyKey[]): void {
    if (Object.is(recorded, replayed)) return;
    if (Array.isArray(recorded) && Array.isArray(replayed)) {
      this.#compareLists(recorded, replayed, path);
    } else if (isPlain(recorded) && isPlain(replayed)) {
      for (const name of new Set([...Object.keys(recorded), ...Object.keys(replayed)]))
        this.#compare(recorded[name], replayed[name], [...path, name]);
    } else if (!this.#isSame(recorded, replayed, path)) {
      const isMissing = recorded === undefined || replayed === undefined;
      const kind = isMissing || typeof recorded !== typeof replayed ? 'shape' : this.#kindOf(path);
      this.#report(kind, bodyPath(path), shown(replayed), recorded);
    }
  }

  #compareLists(
    recorded: readonly unknown[],
    replayed: readonly unknown[],
    path: readonly PropertyKey[],
  ): void {
    const name =
      path.at(-1) === 'items' && path.at(-2) === '_embedded' ? '' : String(path.at(-1) ?? '');
    if (recorded.length !== replayed.length) {
      const [expected, received] = [replayed, recorded].map(({ length }) => `${length} items`);
      this.#report(this.#kindOf(path), bodyPath(path), expected ?? '', received);
    }
    const pairs = this.#pairs(recorded, replayed, name);
    const order = pairs.map(([, other]) => replayed.indexOf(other)).filter((at) => at !== -1);
    if (order.some((at, place) => at < (order[place - 1] ?? 0)))
      this.#report('order', bodyPath(path), idsOf(replayed), idsOf(recorded));
    for (const [place, [one, other]] of pairs.entries())
      if (other !== undefined) this.#compare(one, other, [...path, place]);
  }

  #isSame(recorded: unknown, replayed: unknown, path: readonly PropertyKey[]): boolean {
    const known = this.#known;
    const name = String(path.at(-1) ?? '');
    if (typeof recorded === 'number' && typeof replayed === 'number') {
      const isNamed = known.idOf(known.nounOf(name), recorded) === replayed;
      return isNamed || (name === 'id' && known.areCounterparts(recorded, replayed));
    }
    if (typeof recorded !== 'string' || typeof replayed !== 'string') return false;
    if (isTimestamp(recorded) && isTimestamp(replayed)) return known.isSameTime(recorded, replayed);
    // A part of the text may be masked, too.
    const shownNow = recorded.includes(mask) ? redactUrl(replayed) : replayed;
    if (name === 'href') {
      const url = known.urlOf(withoutPrefix(recorded, this.#responses.place));
      return decoded(url) === decoded(shownNow);
    }
    if (masked.test(recorded) || recorded === shownNow || known.textOf(recorded) === replayed)
      return true;
    return name === 'id'
      ? known.areCounterparts(recorded, replayed)
      : this.#isSameSentence(recorded, replayed);
  }

  /** A message may name a record by its id, or a path. */
  #isSameSentence(recorded: string, replayed: string): boolean {
    if (recorded.length > maxSentence) return false;
    const [ids, others] = [recorded, replayed].map((text) => text.match(/\d+/g) ?? []);
    if (recorded.replaceAll(/\d+/g, '#') !== replayed.replaceAll(/\d+/g, '#')) return false;
    return (ids ?? []).every((id, at) => {
      const other = others?.[at] ?? '';
      return id === other || this.#known.areCounterparts(Number(id), Number(other));
    });
  }

  #kindOf(path: readonly PropertyKey[]): FindingKind {
    const name = String(path.at(-1) ?? '');
    if (this.#responses.recorded.status >= 400) return 'error';
    if (path.includes('_links')) return 'link';
    if (path.length === 1 && valueAt(this.#responses.replayed.json, ['_embedded']) !== undefined)
      return 'page';
    if (/total|amount|price/i.test(name)) return 'total';
    return name.endsWith('state') ? 'transition' : 'value';
  }
}

function isId(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string';
}

function isPlain(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

function idsOf(items: readonly unknown[]): string {
  return items.map((item) => shown(valueAt(item, ['id']) ?? item)).join(', ');
}

function mediaType(type: string | undefined): string | undefined {
  return type?.split(';')[0]?.trim().toLowerCase();
}

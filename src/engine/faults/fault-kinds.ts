import type * as z from 'zod';
import type { EndpointRow } from '../rest/endpoint.ts';
import type { DatabaseOf } from '../store/database.ts';
import type { FieldIssue } from '../lib/problem.ts';
import { addDuration, isForwardDuration, secondsBetween } from '../lib/duration.ts';
import { namePattern } from '../lib/names.ts';
import { pseudoRandom } from '../lib/pseudo-random.ts';
import {
  maxDelay,
  type Delay,
  type FaultFields,
  type FaultKindName,
  type FaultRule,
  type FaultRules,
} from './fault-rule.ts';
import type { ApiResponse } from '../rest/message.ts';
import { headerIssues, corruptBody, createResponse, isBodiless } from './fault-response.ts';

/** The effect on one response: the fields of a rule, with a random delay drawn and a rate limit converted to a status. */
export type FaultEffect = {
  readonly [Field in keyof FaultFields]?:
    | (Field extends 'delay' ? number : Field extends 'limit' ? never : FaultFields[Field])
    | undefined;
};

/** The parts of a fault rule that its effect depends on. */
export type EffectRule = FaultFields & Pick<FaultRule, 'id' | 'matched' | 'window' | 'released'>;

/** One kind of fault, with everything that is specific to it. */
export interface FaultKind {
  /**
   * - `replaces`: the response is the fault's own, so the endpoint does not run unless `after` is set
   * - `changes`: the response of the endpoint is changed; what the endpoint wrote is rolled back unless `after` is set
   * - `delays`: the response is sent later; what the endpoint wrote is kept
   *
   * If several faults apply to a request, the first that replaces or changes the response is used; all delays add up.
   */
  readonly role: 'replaces' | 'changes' | 'delays';
  /** Whether `after` can be set. */
  readonly allowsAfter: boolean;
  /** Its field in a rule, unless every API has it, and a value as in the header `Prefer`. */
  readonly own?: { readonly schema: z.ZodType; readonly example: string };
  /** Its value in the header `Prefer`; undefined if the header cannot request it. */
  readonly prefer: PreferValue | undefined;
  /** Returns the issues of a rule that its schema cannot express. The rule need not be of this kind. */
  issues(rule: FaultFields): FieldIssue[];
  /** Returns the effect of a rule of this kind on one request. */
  effect(rule: EffectRule, now: string, seed: number): FaultEffect;
  /** Applies its part of an effect to a response, if it has one. */
  apply(answer: ApiResponse, effect: FaultEffect): ApiResponse;
}

interface PreferValue {
  /** Completes the message `Prefer: delay must be …`. */
  readonly expected: string;
  /** @returns undefined for an invalid value */
  readonly parse: (value: string) => FaultEffect | undefined;
}

/** What faults require of an API: its endpoints, the kinds of fault, and its table of faults. */
export interface FaultedApi {
  readonly path: string;
  readonly endpoints: readonly EndpointRow<never>[];
  readonly faultKinds: FaultKinds;
  readonly tables: { readonly faultRules: FaultRules };
}

/** The table of the faults of a back office. */
export type FaultTable = DatabaseOf<FaultedApi['tables']>;

/** The kinds of fault of an API, by the field of a rule, in the order in which they are applied to a response. */
export type FaultKinds = Readonly<Record<string, FaultKind>>;

/** The kinds of fault that every API has. */
export const faultKinds: { readonly [Name in FaultKindName]: FaultKind } = {
  status: {
    role: 'replaces',
    allowsAfter: true,
    prefer: {
      expected: 'a status from 200 to 599',
      parse: (value) => (/^[2-5]\d\d$/.test(value) ? { status: Number(value) } : undefined),
    },
    issues: ({ status, body, headers }) => [
      ...issue(body !== undefined && status === undefined, ['body'], 'A body requires a status.'),
      ...issue(
        body !== undefined && isBodiless(status),
        ['body'],
        `A response with status ${status} has no body.`,
      ),
      ...issue(
        headers !== undefined && status === undefined,
        ['headers'],
        'Headers require a status.',
      ),
      ...headerIssues(headers ?? {}),
    ],
    effect: ({ status, headers, body }) => ({ status, headers, body }),
    apply: (answer, { status, headers, body }) =>
      status === undefined ? answer : createResponse(status, headers, body),
  },
  connection: {
    role: 'replaces',
    allowsAfter: true,
    prefer: {
      expected: 'drop',
      parse: (value) => (value === 'drop' ? { connection: value } : undefined),
    },
    issues: () => [],
    effect: ({ connection }) => ({ connection }),
    apply: (answer, { connection }) =>
      connection === undefined ? answer : { status: 0, headers: {}, connection },
  },
  corrupt: {
    role: 'changes',
    allowsAfter: true,
    prefer: {
      expected: 'malformed or cut-off',
      parse: (value) =>
        value === 'malformed' || value === 'cut-off' ? { corrupt: value } : undefined,
    },
    issues: ({ corrupt, connection, limit, status }) =>
      issue(
        corrupt !== undefined &&
          (connection !== undefined || limit !== undefined || isBodiless(status)),
        ['corrupt'],
        'The response has no body to corrupt.',
      ),
    effect: ({ corrupt }) => ({ corrupt }),
    apply: (answer, { corrupt }) => (corrupt === undefined ? answer : corruptBody(answer, corrupt)),
  },
  delay: {
    role: 'delays',
    allowsAfter: false,
    prefer: {
      expected: `at most ${maxDelay / 1000}s, such as 2s or 500ms`,
      parse: parseDelay,
    },
    issues: ({ delay }) => delayIssues(delay),
    effect: ({ id, matched, delay }, _now, seed) => ({
      delay: drawDelay(delay, () => pseudoRandom(`${seed} delay ${id} ${matched}`)),
    }),
    apply(answer, { delay = 0 }) {
      if (delay === 0) return answer;
      return { ...answer, delay: Math.min((answer.delay ?? 0) + delay, maxDelay) };
    },
  },
  hold: {
    role: 'delays',
    allowsAfter: false,
    prefer: {
      expected: 'a name, such as orders',
      parse: (value) => (namePattern.test(value) ? { hold: value } : undefined),
    },
    issues: () => [],
    effect: ({ hold, released }) => ({ hold: released === true ? undefined : hold }),
    apply: (answer, { hold }) =>
      hold === undefined ? answer : { ...answer, hold: [...(answer.hold ?? []), hold] },
  },
  limit: {
    role: 'replaces',
    allowsAfter: false,
    prefer: undefined,
    issues: ({ limit }) =>
      issue(
        limit !== undefined && !isForwardDuration(limit.per, 1),
        ['limit', 'per'],
        'Expected an ISO 8601 duration of at least one second, such as PT1M.',
      ),
    effect: rejectExcess,
    // Its effect is a status.
    apply: (answer) => answer,
  },
};

type KindTest = (kind: FaultKind) => boolean;

export const delays: KindTest = ({ role }) => role === 'delays';
export const changes: KindTest = ({ role }) => role !== 'delays';
export const replaces: KindTest = ({ role }) => role === 'replaces';

/** Returns the names of the kinds of a rule or an effect that pass a test: `namesIn(kinds, rule, delays)`. */
export function namesIn(kinds: FaultKinds, fields: object, test: KindTest): string[] {
  return Object.keys(kinds).filter(
    (name) =>
      (fields as Readonly<Record<string, unknown>>)[name] !== undefined && test(kinds[name]!),
  );
}

/** Whether a rule or an effect has a kind that passes a test. */
export function hasKind(kinds: FaultKinds, fields: object, test: KindTest = () => true): boolean {
  return namesIn(kinds, fields, test).length > 0;
}

/** Lists the names of the kinds that pass a test, for messages: `status, connection and limit`. */
export function listKinds(kinds: FaultKinds, conjunction: 'and' | 'or', test: KindTest): string {
  const listed = Object.keys(kinds).filter((name) => test(kinds[name]!));
  return [listed.slice(0, -1).join(', '), listed.at(-1)].join(` ${conjunction} `);
}

/** Returns the effect of a rule on the response to one request. */
export function effectOf(
  kinds: FaultKinds,
  rule: EffectRule,
  now: string,
  seed: number,
): FaultEffect {
  const effect: FaultEffect = { after: rule.after };
  for (const name of namesIn(kinds, rule, () => true)) {
    Object.assign(effect, kinds[name]!.effect(rule, now, seed));
  }
  return effect;
}

/** Applies the part of an effect that is of the kinds that pass a test. */
export function applyKinds(
  kinds: FaultKinds,
  test: KindTest,
  answer: ApiResponse,
  effect: FaultEffect,
): ApiResponse {
  return Object.values(kinds)
    .filter(test)
    .reduce((made, kind) => kind.apply(made, effect), answer);
}

/** Returns one issue if a condition holds. */
export function issue(isWrong: boolean, path: readonly string[], message: string): FieldIssue[] {
  return isWrong ? [{ path, message }] : [];
}

function rejectExcess({ limit, window }: EffectRule, now: string): FaultEffect {
  const { requests = 0, per = 'PT1S' } = limit ?? {};
  const seconds = secondsBetween(now, addDuration(window?.from ?? now, per));
  const message = `Too many requests: at most ${requests} are served in ${per}. Retry in ${seconds} s.`;
  return {
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { code: 429, message },
  };
}

function parseDelay(value: string): FaultEffect | undefined {
  const [, amount, unit] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s)$/.exec(value) ?? [];
  const delay = Math.round(Number(amount) * (unit === 's' ? 1000 : 1));
  return delay <= maxDelay ? { delay } : undefined;
}

function delayIssues(delay: Delay | undefined): FieldIssue[] {
  if (delay === undefined || typeof delay === 'number') return [];
  return 'from' in delay
    ? issue(delay.from > delay.to, ['delay', 'to'], `Must be at least ${delay.from}.`)
    : issue(delay.median > delay.p95, ['delay', 'p95'], `Must be at least ${delay.median}.`);
}

/** Returns a number of milliseconds from a range (uniform) or from a distribution (log-normal). */
function drawDelay(delay: Delay | undefined, createRandom: () => () => number): number | undefined {
  if (delay === undefined || typeof delay === 'number') return delay;
  const random = createRandom();
  if ('from' in delay) return delay.from + Math.floor(random() * (delay.to - delay.from + 1));
  return Math.round(delay.median * (delay.p95 / delay.median) ** (normal(random) / normal95));
}

/** The 95th percentile of the standard normal distribution. */
const normal95 = 1.6449;

/**
 * Returns a standard normal number, at most four standard deviations from the mean, by the Box–Muller transform
 * (https://en.wikipedia.org/wiki/Box%E2%80%93Muller_transform).
 */
function normal(random: () => number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return Math.max(-4, Math.min(4, radius * Math.cos(2 * Math.PI * random())));
}

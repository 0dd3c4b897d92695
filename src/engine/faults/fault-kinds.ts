import type { FieldIssue } from '../lib/problem.ts';
import { addDuration, isForwardDuration, secondsBetween } from '../lib/duration.ts';
import { namePattern } from '../lib/names.ts';
import { pseudoRandom } from '../lib/pseudo-random.ts';
import { issue, type EffectRule, type FaultEffect, type FaultKind } from './fault-kind.ts';
import { maxDelay, type Delay, type FaultKindName } from './fault-rule.ts';
import { headerIssues, corruptBody, createResponse, isBodiless } from './fault-response.ts';

/** The kinds of fault that every API has. */
export const faultKinds: { readonly [Name in FaultKindName]: FaultKind } = {
  status: {
    role: 'replaces',
    allowsAfter: true,
    shown: {
      label: 'respond with a status',
      fields: [
        { name: 'status', label: 'Status', initial: '503' },
        { name: 'body', label: 'Body', initial: '', isOptional: true, hint: 'of the status' },
      ],
    },
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
    shown: { label: 'drop the connection', text: 'drop the connection', fields: [] },
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
    shown: {
      label: 'corrupt the JSON',
      text: { malformed: 'send malformed JSON', 'cut-off': 'send half of the JSON' },
      fields: [{ name: 'corrupt', label: 'How', initial: 'malformed' }],
    },
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
    shown: {
      label: 'delay the response',
      text: 'delay {} ms',
      fields: [{ name: 'delay', label: 'Milliseconds', initial: '2000', hint: '500-3000' }],
    },
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
    shown: {
      label: 'hold the response',
      text: 'hold as {}',
      fields: [{ name: 'hold', label: 'Name that releases it', initial: 'held' }],
    },
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
    shown: {
      label: 'limit the rate',
      text: '{requests} requests per {per}, then 429',
      fields: [
        { name: 'requests', label: 'Requests', initial: '10' },
        { name: 'per', label: 'Per', initial: 'PT1M' },
      ],
    },
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

import * as z from 'zod';
import { isSpan } from '../lib/duration.ts';
import type { Database } from '../models/database.ts';
import { FaultMatch, FaultRule, type Delay } from '../models/fault-rule.ts';
import { invalidFields } from '../checkout/refusal.ts';
import { refuseMoreRules } from '../checkout/script-rules.ts';
import { formatCount, type FieldProblem } from '../lib/problem.ts';
import { issuesOf } from '../rest/issues.ts';
import { endpointIssues } from './endpoint-match.ts';

/** A fault as a scenario or a caller writes it. */
export const FaultRuleInput = z.strictObject({
  ...FaultRule.omit({ id: true, fitted: true, window: true }).shape,
  match: FaultMatch.default({}),
});
export type FaultRuleInput = z.input<typeof FaultRuleInput>;
type Rule = z.output<typeof FaultRuleInput>;

/**
 * Adds a fault after the others.
 *
 * @throws Problem `invalid` for a rule that is malformed, or that could never do anything; `too many` where there can be
 *   no more rules
 */
export function addFault(db: Database, input: FaultRuleInput): FaultRule {
  const result = FaultRuleInput.safeParse(input);
  const problems = result.success
    ? faultIssues(result.data)
    : issuesOf(FaultRuleInput, result.error);
  if (!result.success || problems.length > 0) throw invalidFields(problems);
  refuseMoreRules(db.faultRules);
  return db.faultRules.add({ ...result.data, fitted: 0 });
}

/** What the schema cannot say: rules that do nothing, that contradict themselves, that no request can match. */
export function faultIssues(rule: Rule): FieldProblem[] {
  return [...effectProblems(rule), ...frequencyProblems(rule), ...matchProblems(rule.match)];
}

function effectProblems({ status, body, headers, delay, connection, spoil, after, limit }: Rule) {
  const answers = [status, connection, limit].filter((one) => one !== undefined).length;
  const does = answers > 0 || delay !== undefined || spoil !== undefined;
  const bodiless = status === 204 || status === 205 || status === 304;
  return [
    ...problem(
      !does,
      ['status'],
      'A fault has to do something: status, delay, connection, spoil or limit.',
    ),
    ...problem(answers > 1, ['status'], 'Give one of status, connection and limit.'),
    ...problem(body !== undefined && status === undefined, ['body'], 'A body needs a status.'),
    ...problem(body !== undefined && bodiless, ['body'], `An answer ${status} has no body.`),
    ...problem(
      headers !== undefined && status === undefined,
      ['headers'],
      'Headers need a status.',
    ),
    ...headerProblems(headers ?? {}),
    ...problem(
      spoil !== undefined && (connection !== undefined || limit !== undefined || bodiless),
      ['spoil'],
      'There is no body that could be spoiled.',
    ),
    ...problem(
      after !== undefined && ((answers === 0 && spoil === undefined) || limit !== undefined),
      ['after'],
      'Only status, connection and spoil can come after the write.',
    ),
    ...delayProblems(delay),
    ...problem(
      limit !== undefined && !isSpan(limit.per, 1),
      ['limit', 'per'],
      'Expected an ISO 8601 duration of a second or more, such as PT1M.',
    ),
  ];
}

function headerProblems(headers: Readonly<Record<string, string>>): FieldProblem[] {
  const names = Object.keys(headers);
  if (names.length > mostHeaders) {
    const message = `${formatCount(names.length)} headers were sent, at most ${mostHeaders} are accepted.`;
    return [{ path: ['headers'], message }];
  }
  return names.flatMap((name) => [
    ...problem(
      !isHeader(name, headers[name] ?? ''),
      ['headers', name],
      'This is no name or value of a header.',
    ),
    ...problem(
      framing.has(name.toLowerCase()),
      ['headers', name],
      'This header says how a body is sent, which only who sends it knows.',
    ),
  ]);
}

const mostHeaders = 100;

/** Node refuses to send some of these beside what it says itself, and throws where nobody can catch it. */
const framing: ReadonlySet<string> = new Set(['content-length', 'trailer', 'transfer-encoding']);

function delayProblems(delay: Delay | undefined): FieldProblem[] {
  if (delay === undefined || typeof delay === 'number') return [];
  return 'from' in delay
    ? problem(delay.from > delay.to, ['delay', 'to'], `Expected ${delay.from} or more.`)
    : problem(delay.median > delay.p95, ['delay', 'p95'], `Expected ${delay.median} or more.`);
}

function frequencyProblems({ first, every, probability, limit }: Rule): FieldProblem[] {
  const given = [first, every, probability].filter((one) => one !== undefined).length;
  return [
    ...problem(given > 1, ['first'], 'Give one of first, every and probability.'),
    ...problem(given > 0 && limit !== undefined, ['limit'], 'A rate limit counts by itself.'),
  ];
}

function matchProblems({ session, ...match }: FaultMatch): FieldProblem[] {
  return [
    ...problem(
      session !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(session),
      ['session'],
      'No session can have such a name.',
    ),
    ...endpointIssues(match),
  ].map(({ path, message }) => ({ path: ['match', ...path], message }));
}

function isHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\xa0-\xff]*$/.test(value);
}

function problem(wrong: boolean, path: readonly string[], message: string): FieldProblem[] {
  return wrong ? [{ path, message }] : [];
}

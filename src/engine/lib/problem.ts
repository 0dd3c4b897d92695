/**
 * The kinds of problems. `rest/` has one map from kinds to HTTP statuses.
 *
 * - `malformed`: the request cannot be parsed
 * - `invalid`: some parameters are invalid (`fields` lists them)
 * - `refused`: the parameters are valid, but the state of the shop does not allow the request
 * - `missing`: a record or an endpoint does not exist
 * - `conflict`: a key is in use
 * - `denied`: the request has no valid credential
 * - `forbidden`: not allowed with any credential
 * - `too large`, `unsupported`, `not allowed`, `too many`, `declined`: as in HTTP
 * - `fault`: a defect of this program; the message never reaches a client
 */
export type ProblemKind =
  | 'malformed'
  | 'invalid'
  | 'refused'
  | 'missing'
  | 'conflict'
  | 'denied'
  | 'forbidden'
  | 'too large'
  | 'unsupported'
  | 'not allowed'
  | 'too many'
  | 'declined'
  | 'fault';

/**
 * An issue of one parameter.
 *
 * @property path path of the parameter in the form, `['shippingAddress', 'city']`; empty for the form as a whole
 */
export interface FieldIssue {
  readonly path: readonly string[];
  readonly message: string;
}

/** Maximum number of issues in a response. */
const maxListed = 100;

/**
 * Returns up to 100 issues of a list, and a note with the number of others: `and 12,400 more`.
 *
 * @param more number of issues that are not in the list
 */
export function capped<Issue>(
  issues: readonly Issue[],
  noted: (note: string) => Issue,
  more = 0,
): readonly Issue[] {
  const left = Math.max(0, issues.length - maxListed) + more;
  if (left === 0) return issues;
  return [...issues.slice(0, maxListed), noted(`and ${formatCount(left)} more`)];
}

/** Formats a number with thousands separators: `12,400`. */
export function formatCount(number: number): string {
  return number.toLocaleString('en');
}

/** Returns a number of things: `1 test`, `12,400 tests`. */
export function counted(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns up to `max` characters of a text, for a message. */
export function truncate(text: string, max = 200): string {
  return text.length <= max ? text : `${beginningOf(text, max)}…`;
}

/** Returns the first characters of a text, at most `max`, without the first half of a character of two, such as an emoji. */
export function beginningOf(text: string, max: number): string {
  const isCut =
    /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(max));
  return text.slice(0, isCut ? max - 1 : max);
}

/** The error that this project throws for expected failures, and for defects of its own. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: ProblemKind;
  readonly fields: readonly FieldIssue[];
  /** Number of issues that are not in `fields`. */
  readonly more: number;
  /** Headers of the response: `{ allow: 'GET, PUT' }`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the response, if another standard defines it, such as OAuth. */
  readonly body: Readonly<Record<string, unknown>> | undefined;

  constructor(
    kind: ProblemKind,
    message: string,
    details: {
      fields?: readonly FieldIssue[];
      more?: number;
      headers?: Readonly<Record<string, string>>;
      body?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message);
    this.kind = kind;
    this.fields = details.fields ?? [];
    this.more = details.more ?? 0;
    this.headers = details.headers ?? {};
    this.body = details.body;
  }
}

/** Returns a problem for a request that the state of the shop does not allow. */
export function refusedProblem(message: string): Problem {
  return new Problem('refused', message);
}

/** Returns a problem for one invalid parameter. The path is as in the form: `['shipments', '0', 'method']`. */
export function invalid(path: readonly string[], message: string): Problem {
  return invalidFields([{ path, message }]);
}

/** Returns a problem for invalid parameters. The response lists each message at its field; `message` joins them all. */
export function invalidFields(fields: readonly FieldIssue[]): Problem {
  const listed = capped(fields, (message) => ({ path: [], message }));
  return new Problem('invalid', listed.map(withPath).join('; '), { fields });
}

function withPath({ path, message }: FieldIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

/** The message for an unknown id, and for a value of the wrong type. */
export const notValid = 'This value is not valid.';

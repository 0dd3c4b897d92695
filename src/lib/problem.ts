/**
 * What can go wrong, in the words of the shop. A kind says who can mend it; which HTTP status that is stands in
 * one map under `rest/`.
 *
 * - `malformed`: the request cannot be read at all
 * - `invalid`: it can be read, and some of its parameters are wrong (`fields` says which)
 * - `refused`: parameters are fine, but the state of the shop does not allow it
 * - `missing`: what the request names does not exist
 * - `conflict`: a key is taken
 * - `denied`: the request lacks a valid credential
 * - `forbidden`: no credential would help
 * - `too large`, `unsupported`, `not allowed`, `too many`, `declined`: as their names say
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
 * One thing wrong with one parameter.
 *
 * @property path where it stands in the form, `['shippingAddress', 'city']`; empty for the form as a whole
 */
export interface FieldIssue {
  readonly path: readonly string[];
  readonly message: string;
}

/** Maximum number of issues in a response. */
const maxListed = 100;

/**
 * The first hundred issues of a list, and a note of how many more there are: `and 12,400 more`.
 *
 * @param more how many there are that are not in the list
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

/** A number with thousands separators: `12,400`. */
export function formatCount(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** The beginning of a text that is too long to be repeated in a message. */
export function truncate(text: string, most = 200): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** The one error that the project throws on purpose. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: ProblemKind;
  readonly fields: readonly FieldIssue[];
  /** How many more there are than `fields` says. */
  readonly more: number;
  /** Headers that belong to the answer, `{ allow: 'GET, PUT' }`. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the answer says, where that is another standard's matter. */
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

/** The state of the shop does not allow the request; the message says why. */
export function refusedProblem(message: string): Problem {
  return new Problem('refused', message);
}

/** One parameter is invalid. The path is as in the form: `['shipments', '0', 'method']`. */
export function invalid(path: readonly string[], message: string): Problem {
  return invalidFields([{ path, message }]);
}

/** Several parameters are invalid. The response lists each message at its field; `message` joins them all. */
export function invalidFields(fields: readonly FieldIssue[]): Problem {
  const listed = capped(fields, (message) => ({ path: [], message }));
  return new Problem('invalid', listed.map(withPath).join('; '), { fields });
}

function withPath({ path, message }: FieldIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

/** The message for an unknown id, and for a value of the wrong type. */
export const notValid = 'This value is not valid.';

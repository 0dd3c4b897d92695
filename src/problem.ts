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
 * - `fault`: a mistake of this program; the message never reaches a client
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
export interface FieldProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** The one error that the project throws on purpose. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: ProblemKind;
  readonly fields: readonly FieldProblem[];
  /** Headers that belong to the answer, `{ allow: 'GET, PUT' }`. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the answer says, where that is another standard's matter. */
  readonly body: Readonly<Record<string, unknown>> | undefined;

  constructor(
    kind: ProblemKind,
    message: string,
    details: {
      fields?: readonly FieldProblem[];
      headers?: Readonly<Record<string, string>>;
      body?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message);
    this.kind = kind;
    this.fields = details.fields ?? [];
    this.headers = details.headers ?? {};
    this.body = details.body;
  }
}

import { isObject } from '../engine/lib/json-value.ts';
import { saysFailure } from './messages.ts';

/**
 * What an assertion has received in place of what it expects: an error; a value that says that something failed; undefined, null
 * or a boolean, which say nothing; or another value.
 */
export type Received = 'failure' | 'nothing' | 'value' | { readonly error: unknown };

/** The error of an assertion, of which runners know more or less. */
interface Assertion {
  readonly name: string | undefined;
  /** In one line. */
  readonly message: string;
  /** The value as it was, or as a runner prints it; undefined if it is not known. */
  readonly known: { readonly actual: unknown } | undefined;
}

/** How the messages of assertions begin that vitest, Jest and Chai throw. */
const assertion =
  /^(expect\(|expected |promise resolved |Target cannot be|the given combination of arguments|actual value must be|Snapshot `)/;

/** Returns what an assertion has received; undefined for an error of another kind. */
export function receivedBy({ name = '', message, known }: Assertion): Received | undefined {
  if (!name.includes('Assertion') && !assertion.test(message)) return undefined;
  const { actual } = known ?? {};
  const error = isError(actual) ? actual : printedError(message);
  if (error !== undefined) return { error };
  if (saysFailed(actual) || isFailurePrinted(message)) return 'failure';
  const isNothing = known !== undefined && /^(undefined|null|true|false)$/.test(String(actual));
  return isNothing || isNothingPrinted(message) ? 'nothing' : 'value';
}

/** Whether a value is an error, of any global object. */
function isError(value: unknown): boolean {
  return /Error\]$|DOMException\]$/.test(Object.prototype.toString.call(value));
}

/** Returns the error that the message of an assertion says. */
function printedError(text: string): Error | undefined {
  const [, name, message] =
    /^expected \[?(\w*(?:Error|Exception)): (.*?) (?:not )?to (?:have|match|be|equal|deeply|strictly|contain|include) /.exec(
      text,
    ) ?? [];
  // The properties of the error follow its message.
  if (message !== undefined) return errorOf(message.split(' {', 1)[0], name);
  if (text.startsWith('expected [Function')) {
    const [, printed] = text.split(/ but (?:got )?'/);
    const [, kind, said] = /^(?:(\w+): )?([^']*)/.exec(printed ?? '') ?? [];
    return printed === undefined ? undefined : errorOf(said, kind);
  }
  if (!text.startsWith('expect(')) return undefined;
  const [, said] = text.split(/(?:Received|Thrown|Error) message: +"/);
  const [, kind] = /(?:Received constructor|Error name): +"?(\w+)/.exec(text) ?? [];
  return said === undefined ? undefined : errorOf(said.split('"', 1)[0], kind);
}

function errorOf(message = '', name = 'Error'): Error {
  return Object.assign(new Error(message), { name });
}

/** Whether a value says that something failed, as the results of many clients do, or one in a list of them. */
function saysFailed(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => isError(one) || isFailedResult(one));
  if (typeof value !== 'string') return isFailedResult(value);
  return /^\w*\s?[[{]/.test(value) ? printedFailure.test(value) : saysFailure(value);
}

function isFailedResult(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { error, errors, isError: hasFailed, ok, success, status, message, code, name } = value;
  if ([error, errors, hasFailed].some(isSet)) return true;
  const isErrorLike = typeof message === 'string' && [code, name, status].some(isSet);
  return isErrorLike || ok === false || success === false || status === 'rejected';
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** A property that says that something failed, as runners print it. */
const printedFailure =
  /"?\b(error|errors|isError)"?: (?!undefined|null|false|''|""|(Array )?\[\]|(Object )?\{\})|"?\b(ok|success)"?: false/;

/** Whether the message of an assertion says that it has received a value that says that something failed. */
function isFailurePrinted(message: string): boolean {
  const [, received] =
    /^(?:expected|promise resolved) "?(\{.*?\}|\[.*?\])"? (?:(?:not )?to|instead of) /.exec(
      message,
    ) ??
    /(?:Received(?: value)?|Resolved to value): +(\{.*|\[.*)/.exec(message) ??
    [];
  return received !== undefined && printedFailure.test(received);
}

/** What a call did not do says no more than undefined does. */
function isNothingPrinted(message: string): boolean {
  return (
    /^(.*: )?expected (undefined|null|true|false|.{0,40} to (be|have been) called)\b/.test(
      message,
    ) ||
    /\b(Received|Resolved to value|Received has value|Received value): +(undefined|null|true|false)\b/.test(
      message,
    ) ||
    message.startsWith('expect(jest.fn(') ||
    /^(Target cannot be null or undefined|the given combination of arguments \((undefined|null|boolean) |actual value must be .* received "?(undefined|null|boolean|object))/.test(
      message,
    )
  );
}

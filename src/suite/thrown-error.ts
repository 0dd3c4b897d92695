import { isObject } from '../engine/lib/json-value.ts';
import { truncate } from '../engine/lib/problem.ts';
import { receivedBy } from './assertion.ts';
import { filesIn, isOfTests } from './callers.ts';

const maxMessage = 300;

/** The matchers of Jest colour their messages. */
// oxlint-disable-next-line no-control-regex -- an escape sequence
const colours = /\u001B\[[\d;]*m/g;

/** What code has thrown: an error of any global object, one that a runner has serialized, or another value. */
export interface ThrownError {
  /** The name of its class: `ApiError`; undefined for a value that is no error. */
  readonly name: string | undefined;
  readonly message: string;
  /** The status of a response, if it has one. */
  readonly status: number | undefined;
  readonly cause?: ThrownError | undefined;
  /** Whether a file of tests has thrown it, and not what it calls. */
  readonly isOfTests?: boolean | undefined;
  /** What it has received, if it is the error of an assertion. */
  readonly received?: ThrownError | 'failure' | 'nothing' | 'value' | undefined;
}

export function thrownErrorOf(thrown: unknown): ThrownError {
  if (!isObject(thrown))
    return { name: undefined, message: oneLine(String(thrown)), status: undefined };
  const { message } = thrown;
  const status = statusOf(thrown) ?? statusOf(thrown['response']);
  const name = classOf(thrown);
  if (typeof message === 'string') {
    const cause = isObject(thrown['cause']) ? thrownErrorOf(thrown['cause']) : undefined;
    const line = oneLine(message);
    const known = [thrown, thrown['matcherResult']].find(hasActual);
    const found = receivedBy({ name, message: line, known });
    const received = isObject(found) ? thrownErrorOf(found.error) : found;
    const { stack } = thrown;
    const [file] = typeof stack === 'string' ? filesIn(stack) : [];
    return { name, message: line, status, cause, received, isOfTests: isOfTests(file) };
  }
  const kind = name === undefined || name === 'Object' ? 'an object' : `a ${name}`;
  return {
    name: undefined,
    message: status === undefined ? kind : `${kind} with status ${status}`,
    status,
  };
}

/** `ApiError: The server is overloaded (status 503)` */
export function errorText(thrown: unknown): string {
  const { name, message, status } = thrownErrorOf(thrown);
  if (name === undefined) return message;
  const isSaid = status === undefined || message.includes(String(status));
  return `${name}: ${message}${isSaid ? '' : ` (status ${status})`}`;
}

/** Returns the name of a class. Many errors of a class of their own have the name `Error`. */
function classOf(thrown: Readonly<Record<PropertyKey, unknown>>): string | undefined {
  const { name, constructor } = thrown;
  if (typeof name === 'string' && name !== 'Error' && name !== '') return name;
  // As vitest serializes a class.
  const serialized =
    typeof constructor === 'string' ? /^Function<(\w+)>$/.exec(constructor)?.[1] : undefined;
  const known = typeof constructor === 'function' ? constructor.name : serialized;
  return known ?? (typeof name === 'string' ? name : undefined);
}

function statusOf(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  const { status, statusCode } = value;
  return [status, statusCode].find((one) => typeof one === 'number');
}

/** What assertions and the Testing Library append to their messages: how they compare, and the document. */
const appended = / \/\/ (Object\.is|deep) equality|\nIgnored nodes: [^]*/g;

/** Returns a message in one line, without what is appended to it. */
export function oneLine(text: string): string {
  const message = text.replaceAll(colours, '').replaceAll(appended, '');
  return truncate(message.replaceAll(/\s+/g, ' ').trim(), maxMessage);
}

function hasActual(value: unknown): value is { readonly actual: unknown } {
  return isObject(value) && 'actual' in value;
}

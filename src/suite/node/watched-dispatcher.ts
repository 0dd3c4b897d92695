import { valueAt } from '../../engine/lib/json-value.ts';
import { replacementOf } from '../fault-names.ts';
import { isAbort } from '../watched-fetch.ts';
import { textFor, type BeginRequest, type SeamRequest } from '../seam-request.ts';
import { headersOfBytes, textCollector, type TextCollector } from './response-text.ts';
import {
  converse,
  officeMark,
  urlOf,
  type DispatchHandler,
  type DispatchOptions,
} from '../../mounts/node/undici.ts';

export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean;
}

/**
 * Returns a dispatcher of undici whose requests and responses are watched, as `undici.request` sends them. The other one performs
 * each: a `MockAgent`, too. That of a back office, which sees them itself, stays as it is.
 */
export function watchedDispatcher(dispatcher: Dispatcher, begin: BeginRequest): Dispatcher {
  if (officeMark in dispatcher) return dispatcher;
  const dispatch: Dispatcher['dispatch'] = (options, handler) => {
    const body = typeof options.body === 'string' ? options.body : '';
    const url = urlOf(options);
    const seam = begin(options.method, url, body);
    if (seam === undefined) return dispatcher.dispatch(options, handler);
    const { run, call, within } = seam;
    const replacement = replacementOf(call.fault);
    if (call.fault !== 'drop' && replacement === undefined)
      return within(() => dispatcher.dispatch(options, watchedHandler(handler, seam, body)));
    void run.evidence.settle(call, Promise.resolve(body), replacement?.status ?? 0);
    void converse(
      url,
      options,
      handler,
      replacement === undefined
        ? lost()
        : { fetch: () => Promise.resolve(new Response(replacement.body, replacement)) },
    );
    return true;
  };
  return Object.setPrototypeOf({ dispatch }, dispatcher) as Dispatcher;
}

/** What undici says of a connection that closes. */
function lost(): Error {
  return Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
}

/** The methods of handlers that receive a response, and which of their arguments is its status, or its data. */
const protocols = [
  {
    start: 'onResponseStart',
    data: 'onResponseData',
    end: 'onResponseEnd',
    error: 'onResponseError',
    at: 1,
  },
  // Before undici 7.
  { start: 'onHeaders', data: 'onData', end: 'onComplete', error: 'onError', at: 0 },
] as const;

type Arguments = readonly unknown[];
type Method = (...args: Arguments) => unknown;

/** Returns what receives the response to a request in the place of its handler. */
function watchedHandler(
  handler: DispatchHandler,
  seam: SeamRequest,
  body: string,
): DispatchHandler {
  const methods = new WatchedHandler(handler, seam, body).methods;
  return new Proxy(handler, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (
        methods[name] ?? ((...args: Arguments) => Reflect.apply(value as Method, target, args))
      );
    },
  });
}

class WatchedHandler {
  readonly methods: Partial<Record<PropertyKey, Method>>;
  readonly #handler: DispatchHandler;
  readonly #seam: SeamRequest;
  readonly #body: string;
  readonly #protocol: (typeof protocols)[number];
  #held: Promise<unknown> | undefined;
  #text: TextCollector | undefined;
  #status = 0;
  #isLost = false;

  constructor(handler: DispatchHandler, seam: SeamRequest, body: string) {
    this.#handler = handler;
    this.#seam = seam;
    this.#body = body;
    const { call } = seam;
    if (call.fault === 'slow') this.#held = call.released;
    this.#protocol = protocols.find(({ start }) => start in handler) ?? protocols[0];
    const { start, data, end, error } = this.#protocol;
    this.methods = {
      [start]: (...args) => this.#start(args),
      [data]: (...args) => this.#receive(args),
      [end]: (...args) => this.#end(args),
      [error]: (...args) => this.#fail(args),
    };
  }

  #start(args: Arguments): unknown {
    const { start, at } = this.#protocol;
    const { call } = this.#seam;
    this.#status = Number(args[at]);
    // More responses follow one that tells of the progress.
    if (this.#status < 200) return this.#relay(start, args);
    this.#settle(this.#status);
    if (call.fault === 'drop after') return this.#fail([...args.slice(0, at), lost()]);
    const headers = args[at + 1];
    if (!call.isTaken) this.#text = textCollector((name) => headerIn(headers, name));
    if (this.#text === undefined) return this.#relay(start, args);
    const raw = valueAt(args[0], ['rawHeaders']);
    if (Array.isArray(raw)) Reflect.set(args[0] as object, 'rawHeaders', withoutBytes(raw));
    return this.#relay(start, args.with(at + 1, withoutBytes(headers)));
  }

  #receive(args: Arguments): unknown {
    const { data, at } = this.#protocol;
    if (this.#text === undefined) return this.#relay(data, args);
    this.#text.add(args[at] as Uint8Array);
    return true;
  }

  #end(args: Arguments): unknown {
    const { data, end, at } = this.#protocol;
    const text = this.#text?.end() ?? '';
    const received = text === '' ? '' : textFor(this.#seam, this.#status, text);
    if (received !== '') this.#relay(data, [...args.slice(0, at), Buffer.from(received)]);
    return this.#relay(end, args);
  }

  #fail(args: Arguments): unknown {
    this.#settle(isAbort(args.at(-1)) ? undefined : 0);
    const failed = this.#relay(this.#protocol.error, args);
    this.#isLost = true;
    return failed;
  }

  #settle(status: number | undefined): void {
    const { run, call } = this.#seam;
    if (!call.isSettled) void run.evidence.settle(call, Promise.resolve(this.#body), status);
  }

  /** Calls a method of the handler, once a held response is sent. */
  #relay(name: keyof DispatchHandler, args: Arguments): unknown {
    if (this.#isLost) return true;
    const relayed = (): unknown => Reflect.apply(this.#handler[name]!, this.#handler, args);
    if (this.#held === undefined) return relayed();
    this.#held = this.#held.then(relayed);
    return true;
  }
}

/** Returns a header of a response: of an object, or of a list of alternating names and values. */
function headerIn(headers: unknown, name: string): string | undefined {
  if (!Array.isArray(headers)) return valueAt(headers, [name])?.toString();
  const at = headers.findIndex((one, index) => index % 2 === 0 && nameOf(one) === name);
  return at === -1 ? undefined : String(headers[at + 1]);
}

/** Returns the headers of a response without those that do not fit another text. */
function withoutBytes(headers: unknown): unknown {
  if (Array.isArray(headers))
    return headers.filter((_, at) => !headersOfBytes.includes(nameOf(headers[at - (at % 2)])));
  const entries = Object.entries(headers ?? {});
  return Object.fromEntries(entries.filter(([name]) => !headersOfBytes.includes(name)));
}

function nameOf(header: unknown): string {
  return String(header).toLowerCase();
}

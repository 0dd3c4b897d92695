import { keepOwnParse } from '../engine/lib/own-parse.ts';
import { isResponseOfTest } from '../engine/office/interceptor.ts';
import { eachItem, type FieldPath } from './mutations.ts';

/** Called with the path and the value of each field that is read, and with the function that its reader calls, if it calls one. */
export type OnRead = (path: FieldPath, value: unknown, called?: () => unknown) => void;

/** Whether an object is none of a class, of whichever global object. */
export function isPlain(value: object): boolean {
  const prototype = Reflect.getPrototypeOf(value);
  return prototype === null || Reflect.getPrototypeOf(prototype) === null;
}

/**
 * Returns parsed JSON whose objects tell which of their fields are read. To other code they are plain objects: their fields
 * are enumerable, and can be written, copied and deleted.
 */
export function observed(value: unknown, onRead: OnRead, path: FieldPath = []): unknown {
  if (Array.isArray(value)) return value.map((item) => observed(item, onRead, [...path, eachItem]));
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  // Of the same global object as the value.
  const object = Object.create(Reflect.getPrototypeOf(value)) as object;
  for (const [key, one] of Object.entries(value)) {
    const field = [...path, key];
    const current = observed(one, onRead, field);
    Object.defineProperty(object, key, {
      enumerable: true,
      configurable: true,
      get: function read() {
        onRead(field, one, read);
        if (Array.isArray(one)) readItems(field, one, onRead, read);
        return current;
      },
      set(written: unknown) {
        const plain = { value: written, enumerable: true, configurable: true, writable: true };
        Object.defineProperty(object, key, plain);
      },
    });
  }
  return object;
}

/** Tells that the texts, numbers and booleans of a list are read, which no property shows. */
export function readItems(
  path: FieldPath,
  list: readonly unknown[],
  onRead: OnRead,
  called?: () => unknown,
): void {
  const item = list.find((one) => one !== null);
  if (item !== undefined && typeof item !== 'object') onRead([...path, eachItem], item, called);
}

/**
 * Has each parsed JSON text of a global object pass a function: of `JSON.parse`, and of `Response.json`.
 *
 * @returns the function that ends it
 */
export function observeParsing(
  onParsed: (text: string, value: unknown) => unknown,
  host: typeof globalThis = globalThis,
): () => void {
  const restoreResponse = observeResponses(host, onParsed);
  const { parse } = host.JSON;
  const observedParse: typeof JSON.parse = (text, reviver) => {
    const value: unknown = parse(text, reviver);
    return typeof text === 'string' ? onParsed(text, value) : value;
  };
  host.JSON.parse = observedParse;
  keepOwnParse(parse, host);
  return () => {
    host.JSON.parse = parse;
    keepOwnParse(undefined, host);
    restoreResponse?.();
  };
}

/** Does the same for `Response.json`, if there is one. Its values are those of this global object, as Node.js makes them. */
function observeResponses(
  { Response: hostResponse }: Partial<typeof globalThis>,
  onParsed: (text: string, value: unknown) => unknown,
): (() => void) | undefined {
  if (hostResponse === undefined) return undefined;
  const { prototype } = hostResponse;
  const { parse } = JSON;
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  const { json } = prototype;
  prototype.json = async function observedJson() {
    const text = await this.text();
    const value: unknown = parse(text);
    return isResponseOfTest(this) ? value : onParsed(text, value);
  };
  return () => {
    prototype.json = json;
  };
}

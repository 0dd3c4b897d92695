import { eachItem, type FieldPath } from './mutations.ts';

/** Called with the path and the value of each field that is read. */
export type OnRead = (path: FieldPath, value: unknown) => void;

/**
 * Returns parsed JSON whose objects tell which of their fields are read. To other code they are plain objects: their fields
 * are enumerable, and can be written, copied and deleted.
 */
export function observed(value: unknown, onRead: OnRead, path: FieldPath = []): unknown {
  if (Array.isArray(value)) return value.map((item) => observed(item, onRead, [...path, eachItem]));
  if (typeof value !== 'object' || value === null) return value;
  const object = {};
  for (const [key, one] of Object.entries(value)) {
    const field = [...path, key];
    const current = observed(one, onRead, field);
    Object.defineProperty(object, key, {
      enumerable: true,
      configurable: true,
      get() {
        onRead(field, one);
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

/**
 * Has each parsed JSON text of the process pass a function: of `JSON.parse`, and of `Response.json`, which parses by it
 * from now on.
 *
 * @returns the function that ends it
 */
export function observeParsing(onParsed: (text: string, value: unknown) => unknown): () => void {
  const { parse } = JSON;
  const observedParse: typeof JSON.parse = (text, reviver) => {
    const value: unknown = parse(text, reviver);
    return reviver === undefined && typeof text === 'string' ? onParsed(text, value) : value;
  };
  JSON.parse = observedParse;
  const { prototype } = Response;
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  const { json } = prototype;
  prototype.json = jsonOfText;
  return () => {
    JSON.parse = parse;
    prototype.json = json;
  };
}

async function jsonOfText(this: Response): Promise<unknown> {
  return JSON.parse(await this.text());
}

import { isMadeByTests, isReadByTests } from './callers.ts';
import { readable, type Reading } from './watched-fetch.ts';

type ResponseClass = typeof Response;

/**
 * Returns a `Response` whose instances are watched if tests make them, and other code reads them: such as those of the function
 * that a client calls in place of `fetch`, `new Client({ fetch })`.
 *
 * @param readingOf returns what a response passes; undefined if its request is watched
 * @param host the global object of the tests
 */
export function watchedResponse(
  Class: ResponseClass,
  readingOf: (response: Response) => Reading | undefined,
  host: typeof globalThis,
): ResponseClass {
  const watch = (response: Response, makes: object): Response => {
    const reading = readingOf(response);
    if (reading === undefined || !isMadeByTests(makes)) return response;
    return readable(response, (reads) => (isReadByTests(reads) ? undefined : reading), host);
  };
  const construct = (target: ResponseClass, args: unknown[], newTarget: object): Response => {
    const own = newTarget === watched ? target : (newTarget as ResponseClass);
    return watch(Reflect.construct(target, args, own) as Response, construct);
  };
  const json: ResponseClass['json'] = (...args) => watch(Class.json(...args), json);
  const get = (target: ResponseClass, key: string | symbol): unknown =>
    key === 'json' ? json : Reflect.get(target, key);
  const watched: ResponseClass = new Proxy(Class, { construct, get });
  return watched;
}

import { isObject } from '../engine/lib/json-value.ts';
import { isPlural } from './endpoint-names.ts';
import type { TestRuns } from './suite-runner.ts';

/** Stands in a path for an id or a name of a record. */
const parameter = ':id';

/** Words behind the name of a list that are no name of a record. */
const reserved = /^(me|self|current|new|all|latest|recent|search|feed|count|stats|export|import)$/i;

/** A path, with the keys of what its endpoints respond with success, by method and status. */
interface RecordedPath {
  readonly path: string;
  readonly shapes: ReadonlyMap<string, string>;
}

/**
 * Returns paths that tests have requested with a parameter in the place of the names of records: `/articles/:id` for
 * `/articles/foo` and `/articles/bar`, whose responses have the same keys. Other paths that fit such a one are known, too.
 *
 * @param known paths whose names stay as they are
 */
export function siblingPaths(tests: readonly TestRuns[], known: readonly string[] = []): string[] {
  const all = recordedPaths(tests).filter(({ path }) => !known.includes(path));
  const byPattern = Map.groupBy(
    all.flatMap((one) => patternsOf(one.path).map((pattern) => ({ pattern, ...one }))),
    ({ pattern }) => pattern,
  );
  const merged = Array.from(byPattern).flatMap(([pattern, some]) => {
    const same = sameShapes(some, pattern);
    return same.length > 1 ? [{ pattern, paths: same.map(({ path }) => path) }] : [];
  });
  const ofRecords = new Set(merged.flatMap(({ paths }) => paths));
  const patterns = new Set(merged.map(({ pattern }) => pattern));
  const others = all
    .map(({ path }) => path)
    .filter(
      (path) => !ofRecords.has(path) && patternsOf(path, true).some((one) => patterns.has(one)),
    );
  return [...patterns, ...others];
}

/** Returns tests with other names of endpoints. */
export function withPaths(tests: readonly TestRuns[], paths: readonly string[]): TestRuns[] {
  if (paths.length === 0) return [...tests];
  const rename = (name: string): string =>
    name.replace(pathIn, (path) => {
      if (paths.includes(path)) return path;
      return patternsOf(path, true).find((one) => paths.includes(one)) ?? path;
    });
  return tests.map((test) => ({
    ...test,
    subjects: test.subjects.map((one) => ({ ...one, subject: rename(one.subject) })),
    plain: test.plain && {
      ...test.plain,
      calls: test.plain.calls.map(rename),
      outside: test.plain.outside.map(rename),
      read: test.plain.read.map(rename),
      writes: Object.fromEntries(
        Object.entries(test.plain.writes).map(([name, count]) => [rename(name), count]),
      ),
    },
  }));
}

/** The path in the name of an endpoint or of its responses: `GET /articles/foo 200`. */
const pathIn = /(?<=^([A-Z]+ )?)\/\S*/;

/** Returns the paths that no back office of Backlot serves: that one knows the names of its own. */
function recordedPaths(tests: readonly TestRuns[]): RecordedPath[] {
  const shapes = new Map<string, Map<string, string>>();
  const shapesOf = (name: string): Map<string, string> => {
    const [path = ''] = pathIn.exec(name) ?? [];
    const known = shapes.get(path) ?? new Map<string, string>();
    if (path !== '') shapes.set(path, known);
    return known;
  };
  for (const { plain, subjects } of tests) {
    const own = plain?.calls.filter((one) => !plain.outside.includes(one)) ?? [];
    for (const call of plain?.outside ?? []) shapesOf(call);
    for (const { subject, body } of subjects) {
      const [, endpoint = '', status = ''] = /^(.*) (\d+)$/s.exec(subject) ?? [];
      const shape = shapeOf(body);
      if (own.includes(endpoint) || !status.startsWith('2') || shape === undefined) continue;
      const known = shapesOf(endpoint);
      const key = endpoint.replace(pathIn, status);
      if (!known.has(key)) known.set(key, shape);
    }
  }
  return Array.from(shapes, ([path, ofPath]) => ({ path, shapes: ofPath }));
}

/** Returns a path with a parameter behind each name of a list, one at a time. @param isLoose whether reserved words count */
function patternsOf(path: string, isLoose = false): string[] {
  const segments = path.split('/');
  return segments.flatMap((segment, at) => {
    const isRecord = /^(:id$|[^:])/.test(segment) && isPlural(segments[at - 1] ?? '');
    if (!isRecord || (!isLoose && reserved.test(segment))) return [];
    return [segments.with(at, parameter).join('/')];
  });
}

/** Returns the most of some paths whose responses have the same keys: those of the pattern itself, if it was requested. */
function sameShapes(paths: readonly RecordedPath[], pattern: string): readonly RecordedPath[] {
  const groups = paths.map((one) => paths.filter((other) => hasSameShapes(one, other)));
  const own = groups.find((_, at) => paths[at]?.path === pattern);
  const [most = []] = groups.toSorted((one, other) => other.length - one.length);
  if (own !== undefined) return own;
  // `/shops/orders` and `/shops/users` are lists.
  return most.some(({ path }) => !isPlural(path)) ? most : [];
}

function hasSameShapes({ shapes: one }: RecordedPath, { shapes: other }: RecordedPath): boolean {
  const common = [...one.keys()].filter((key) => other.has(key) && !isAction(key));
  return common.length > 0 && common.every((key) => one.get(key) === other.get(key));
}

/** `POST /users/reset-password` begins an action. */
function isAction(key: string): boolean {
  return key.startsWith('POST ');
}

/** Keys that bodies of any kind have. */
const ofAnyBody = /^(data|errors?|message|success|ok|status|code|result|meta)$/;

/** Returns the keys of a body, and of the objects in it; undefined for one with few of its own, as any body may have. */
function shapeOf(body: unknown): string | undefined {
  const keys = keysOf(body, 3);
  return keys.filter((key) => !ofAnyBody.test(key)).length < 2 ? undefined : keys.join(' ');
}

/** Returns the keys of an object, or of the first item of a list. */
function keysOf(value: unknown, depth: number): string[] {
  if (Array.isArray(value)) return ['[]', ...keysOf(value[0], depth).map((key) => `[].${key}`)];
  if (!isObject(value) || depth === 0) return [];
  return Object.keys(value)
    .toSorted()
    .flatMap((key) => [key, ...keysOf(value[key], depth - 1).map((one) => `${key}.${one}`)]);
}

import { isObject } from '../lib/json-value.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';
import type { Extension } from './extension.ts';

/** A function of a definition. */
type UserFunction = (this: unknown, ...given: unknown[]) => unknown;

/** The parts of a definition that have functions. */
const parts = ['fields', 'resources', 'rules', 'steps', 'on', 'auth', 'faults'] as const;

/** Returns an issue for each function of a definition that is declared `async`, or as a generator. */
export function asyncIssues(extension: Extension): FieldIssue[] {
  const issues: FieldIssue[] = [];
  mapFunctions(extension, (code, path) => {
    const [, kind] =
      /^\[object (Async|Generator|AsyncGenerator)Function\]$/.exec(kindOf(code)) ?? [];
    if (kind !== undefined)
      issues.push({
        path,
        message: `must return its result at once: it cannot be ${wordOf(kind)}`,
      });
    return code;
  });
  return issues;
}

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}

function wordOf(kind: string): string {
  return kind === 'Async' ? 'async' : 'a generator';
}

/** Returns a definition each of whose functions throws a Problem `fault` with its place in place of returning a promise. */
export function withoutPromises<Parts extends Extension>(extension: Parts): Parts {
  return mapFunctions(extension, (code, path) => {
    const place = path.join('.');
    return function (...given) {
      return settled(place, Reflect.apply(code, this, given));
    };
  });
}

/** @throws Problem `fault` if a result is a promise, or has one in it, whose rejection is taken */
function settled(place: string, result: unknown): unknown {
  if (!isObject(result)) return result;
  const promises = promisesIn(result);
  if (promises.length === 0) return result;
  void Promise.allSettled(promises);
  throw new Problem(
    'fault',
    `${place} of the definition returns a promise. It runs inside the request, and must return its result at once.`,
  );
}

function promisesIn(value: unknown, seen = new Set<unknown>()): unknown[] {
  if (!isObject(value) || seen.has(value)) return [];
  seen.add(value);
  if (typeof value['then'] === 'function') return [value];
  return Object.values(value).flatMap((part) => promisesIn(part, seen));
}

function mapFunctions<Parts extends Extension>(
  extension: Parts,
  map: (code: UserFunction, path: readonly string[]) => UserFunction,
): Parts {
  const changed = parts.flatMap((name) => {
    const part = extension[name];
    return part === undefined ? [] : [[name, mapPart(part, map, [name])] as const];
  });
  return { ...extension, ...Object.fromEntries(changed) };
}

/** Of a field, only what computes it is code of the definition. */
function mapPart(
  part: unknown,
  map: (code: UserFunction, path: readonly string[]) => UserFunction,
  path: readonly string[],
): unknown {
  if (isFunction(part)) return map(part, path);
  if (!isObject(part) || Array.isArray(part)) return part;
  const names = 'stored' in part ? ['compute'] : Object.keys(part);
  const changed = names.flatMap((name) => {
    const inner = part[name];
    const mapped = mapPart(inner, map, 'stored' in part ? path : [...path, name]);
    return mapped === inner ? [] : [[name, mapped] as const];
  });
  return changed.length === 0 ? part : { ...part, ...Object.fromEntries(changed) };
}

function isFunction(value: unknown): value is UserFunction {
  return typeof value === 'function';
}

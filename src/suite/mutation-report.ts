import { eachItem, fieldText, mutators, type FieldPath } from './mutations.ts';
import type { JunitCase } from '../reports/junit.ts';
import { asideOf, isFinding } from './mutate-text.ts';
import { isNoticed, type MutantResult, type MutateReport } from './mutate.ts';

/** Lines and columns that begin with 1; the end is behind the last character. */
interface Location {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

/** Where a score is good, and where it is not bad, in percent. */
const thresholds = { high: 80, low: 60 };

/**
 * Returns a report in the format of tools for mutation testing: a "file" is a response as it was recorded, and a mutant
 * stands at its field. https://github.com/stryker-mutator/mutation-testing-elements/tree/master/packages/report-schema
 */
export function mutationTestReport({ tests, subjects, results }: MutateReport, version: string) {
  const bySubject = Map.groupBy(results, ({ subject }) => subject);
  const files = subjects
    .filter(({ name }) => bySubject.has(name))
    .map(({ name, body }) => {
      const { source, locationOf } = jsonSource(body);
      const mutants = (bySubject.get(name) ?? []).map((result) => mutantOf(result, locationOf));
      return [`${name}.json`, { language: 'json', source, mutants }] as const;
    });
  const testFiles = Array.from(
    Map.groupBy(tests, ({ file }) => file),
    ([file, all]) => [file, { tests: all.map(({ id, name }) => ({ id, name })) }] as const,
  );
  return {
    schemaVersion: '2',
    thresholds,
    files: Object.fromEntries(files),
    testFiles: Object.fromEntries(testFiles),
    framework: { name: 'backlot', version },
  };
}

function mutantOf(result: MutantResult, locationOf: (path: FieldPath) => Location) {
  const { id, mutation, text, tests, by, reason } = result;
  // Tools compute the score of the command: what no page shows is no part of it.
  const status = result.status === 'Survived' && !isFinding(result) ? 'Ignored' : result.status;
  return {
    id,
    mutatorName: mutators[mutation.mutator],
    description: text,
    replacement: text,
    location: locationOf(mutation.path),
    status,
    coveredBy: tests,
    ...(by !== undefined && isNoticed(result) && { killedBy: [by.id] }),
    statusReason: reason ?? survival(result),
  };
}

/** Says why it matters that no test has noticed a mutant, or that it does not. */
export function survival(result: MutantResult): string {
  const {
    gone: [text],
    by,
  } = result;
  const aside = asideOf(result);
  if (aside !== undefined) return `${aside}.`;
  if (text === undefined || by === undefined) return 'No test reads the field again.';
  return `The page shows “${text}” no longer at the end of '${by.name}'.`;
}

/** Returns each mutant as JUnit lists it. */
export function mutantCases({ results }: MutateReport): JunitCase[] {
  return results.map((result) => {
    const outcome = isFinding(result) ? { message: survival(result) } : ('skipped' as const);
    const { subject: classname, text: name } = result;
    return { classname, name, outcome: isNoticed(result) ? undefined : outcome };
  });
}

/** Returns JSON with one line for each value, and where fields stand in it: those of a list, in its first item. */
export function jsonSource(body: unknown): {
  readonly source: string;
  readonly locationOf: (path: FieldPath) => Location;
} {
  const lines: string[] = [];
  const locations = new Map<string, Location>();
  let line = '';
  const next = (indent: number): void => {
    lines.push(line);
    line = '  '.repeat(indent);
  };
  const write = (value: unknown, path: FieldPath, indent: number, key = ''): void => {
    const start = { line: lines.length + 1, column: line.length + 1 };
    line += key;
    const entries = entriesOf(value);
    if (entries === undefined) line += JSON.stringify(value);
    else {
      const [open, close] = Array.isArray(value) ? '[]' : '{}';
      line += open ?? '';
      for (const [at, [name, one]] of entries.entries()) {
        next(indent + 1);
        const isItem = Array.isArray(value);
        const to = [...path, isItem ? eachItem : name];
        write(one, to, indent + 1, isItem ? '' : `${JSON.stringify(name)}: `);
        if (at < entries.length - 1) line += ',';
      }
      if (entries.length > 0) next(indent);
      line += close ?? '';
    }
    const name = fieldText(path);
    const end = { line: lines.length + 1, column: line.length + 1 };
    if (!locations.has(name)) locations.set(name, { start, end });
  };
  write(body, [], 0);
  next(0);
  const whole = locations.get('')!;
  return {
    source: `${lines.join('\n')}\n`,
    locationOf: (path) => locations.get(fieldText(path)) ?? whole,
  };
}

function entriesOf(value: unknown): (readonly [name: string, value: unknown])[] | undefined {
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
}

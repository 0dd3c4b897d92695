import {
  controlOf,
  fieldText,
  mutationName,
  mutationsOf,
  mutationText,
  type Mutation,
} from './mutations.ts';
import type { SourceLine } from './callers.ts';
import type { ResponseRules } from './response-rules.ts';
import type { TestRuns } from './suite-runner.ts';
import type { MutantTrial, ReadField } from './trials.ts';

/** A wrong field, and the tests whose code reads it. */
export interface Mutant extends MutantTrial {
  /** `total: 9900 → 9901` */
  readonly text: string;
  /** The right value. */
  readonly value?: unknown;
  /** Whether a document allows it; undefined if none describes the response. */
  readonly isAllowed?: boolean | undefined;
  /** Ids of the tests. */
  readonly tests: readonly string[];
  /** The line of the code under test that reads it. */
  readonly at?: SourceLine | undefined;
  /** The package that reads it, if no other code does. */
  readonly library?: string | undefined;
}

/** The responses of an endpoint with one status, of all tests. */
export interface Subject {
  readonly name: string;
  readonly body: unknown;
  readonly fields: readonly SubjectField[];
  /** Ids of the tests that receive different bodies from one URL. */
  readonly changing: readonly string[];
}

interface SubjectField extends ReadField {
  readonly tests: readonly string[];
}

/** Returns what the tests have received, by endpoint and status. */
export function subjectsOf(tests: readonly TestRuns[]): Subject[] {
  const all = tests.flatMap(({ id, subjects }) => subjects.map((subject) => ({ id, ...subject })));
  return Array.from(
    Map.groupBy(all, ({ subject }) => subject),
    ([name, received]) => {
      const fields = received.flatMap((one) => one.fields.map((field) => ({ id: one.id, field })));
      const byPath = Map.groupBy(fields, ({ field }) => fieldText(field.path));
      return {
        name,
        body: received[0]?.body,
        fields: Array.from(byPath.values(), (read) => ({
          ...(read.find(({ field }) => field.value !== null) ?? read[0]!).field,
          at: read.find(({ field }) => field.at !== undefined)?.field.at,
          library: libraryOf(read.map(({ field }) => field)),
          tests: [...new Set(read.map(({ id }) => id))],
        })),
        changing: received.filter(({ changes }) => changes).map(({ id }) => id),
      };
    },
  );
}

/** Returns the first of the packages that read, if nothing else does. */
function libraryOf(read: readonly Pick<ReadField, 'library'>[]): string | undefined {
  return read.every(({ library }) => library !== undefined) ? read[0]?.library : undefined;
}

/**
 * Returns a mutant for each way in which a field that is read can be wrong: the worst of each response, then the second of each,
 * so that little time is spent on all of them alike. Those of writes come before those of reads.
 */
export function planMutants(subjects: readonly Subject[], rules?: ResponseRules): Mutant[] {
  const ranked = subjects.flatMap((subject) =>
    mutantsOf(subject, rules)
      .map((mutant) => ({ mutant, weight: weightOf(mutant) }))
      .toSorted((one, other) => rankOf(other) - rankOf(one) || other.weight - one.weight)
      .map((one, rank) => ({ ...one, rank })),
  );
  return ranked
    .toSorted((one, other) => one.rank - other.rank || other.weight - one.weight)
    .map(({ mutant }) => mutant);
}

/** What a document allows comes before what it forbids: it is what an API may respond at any time. */
function rankOf({ mutant: { isAllowed } }: { readonly mutant: Mutant }): number {
  return isAllowed === false ? 0 : 1;
}

function mutantsOf({ name, body, fields, changing }: Subject, rules?: ResponseRules): Mutant[] {
  // What creates a record responds with another one each time.
  const isReadAgain = changing.length > 0 && !name.startsWith('POST ');
  return [
    ...graphQlMutants(name, fields),
    ...(isReadAgain ? [mutantOf(name, { path: [], mutator: 'older' }, undefined, changing)] : []),
    ...fields.flatMap(({ path, value, members, tests, at, library }) => {
      const allows = (one: Mutation): boolean | undefined => rules?.allows(name, body, one);
      const documented = rules?.membersOf(name, body, path) ?? [];
      const isDocumented = documented.length > 0;
      return mutationsOf(path, value, {
        members: isDocumented ? documented : members,
        isDocumented,
        allows: (one) => allows(one) !== false,
      }).map((one) => {
        // A new member is what documents get.
        const isAllowed = one.mutator === 'new member' ? true : allows(one);
        return { ...mutantOf(name, one, value, tests), isAllowed, at, library };
      });
    }),
  ];
}

/** Returns a mutant with all wrong at once that is read of a response, for the tests that read any of it. */
export function controlMutant(subject: string, mutants: readonly Mutant[]): Mutant {
  const wrong = mutants
    .map((one) => one.mutation)
    .filter(({ mutator }) => mutator !== 'older' && mutator !== 'errors');
  const mutation = controlOf(wrong);
  const tests = [...new Set(mutants.flatMap((one) => one.tests))];
  const at = mutants.find((one) => one.at !== undefined)?.at;
  return { ...mutantOf(subject, mutation, undefined, tests), at, library: libraryOf(mutants) };
}

/** Returns that of an operation of GraphQL of which a field fails: its response has errors beside the rest of its data. */
function graphQlMutants(name: string, fields: Subject['fields']): Mutant[] {
  const failing = fields.find(
    ({ path, value }) => path.length === 2 && path[0] === 'data' && value !== null,
  );
  const isOperation = / (query|mutation) \w+ \d+$/.test(name);
  if (!isOperation || failing === undefined) return [];
  const replacement = failing.path[1];
  return [mutantOf(name, { path: [], mutator: 'errors', replacement }, undefined, failing.tests)];
}

function mutantOf(
  subject: string,
  mutation: Mutation,
  value: unknown,
  tests: readonly string[],
): Mutant {
  const id = `${subject} ${mutationName(mutation)}`;
  return { id, subject, mutation, text: mutationText(mutation, value), value, tests };
}

/** Fields by how much it costs if they are wrong: money, what state something is in, how many there are, messages, names. */
const fieldWeights: readonly (readonly [name: RegExp, weight: number])[] = [
  [/total|price|amount|tax|currency/i, 6],
  [/state|status/i, 5],
  [/quantity|count|stock/i, 4],
  [/message|errors|children/i, 3],
  [/name|title|email/i, 2],
];

/** Writes come before reads, fields that cost more before others, and wrong values before missing ones. */
function weightOf({ subject, mutation: { path, mutator } }: Mutant): number {
  const write = subject.startsWith('GET ') ? 0 : 100;
  const name = path.at(-1) ?? '';
  const field = fieldWeights.find(([pattern]) => pattern.test(name))?.[1] ?? 1;
  const kind = mutator === 'null' ? 0 : mutator === 'missing' ? 1 : 2;
  return write + (mutator === 'older' ? 7 : field) * 10 + kind;
}

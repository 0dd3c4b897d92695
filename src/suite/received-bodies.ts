import { parseJson } from '../engine/lib/json-value.ts';
import type { ObservedOffice } from '../engine/office/interceptor.ts';
import { callerOfRead } from './callers.ts';
import { observed, readItems, type OnRead } from './json-reads.ts';
import { mutate, type FieldPath, type Mutation } from './mutations.ts';
import type { ReadField, ReceivedResponse, RecordedSubject, Trial } from './trials.ts';

/** Responses of one subject, as a run of a test receives them. */
interface Received {
  readonly body: unknown;
  changes: boolean;
  readonly fields: Map<string, ReadField>;
  /** How often a field was read until other code than a library has read it. */
  readonly counts: Map<string, number>;
}

/** A library that reads a field more often shows it, or hands it on: such as one that compares lists. */
const maxReads = 50;

/** Whose response a body is. */
export interface Source {
  /** `GET /api/orders/:order_id 200` */
  readonly subject: string;
  /** Undefined for a response that no back office of Backlot has sent. */
  readonly office?: ObservedOffice | undefined;
}

/** The bodies of responses that a run of a test receives, and what its code reads of them. */
export class ReceivedBodies {
  readonly #trial: Trial | undefined;
  /** The file of the test. */
  readonly #file: string;
  readonly #bySubject = new Map<string, Received>();
  /** The subject of each body; of a batch, those of its parts. */
  readonly #sources = new Map<string, Source | readonly Source[]>();
  /** The first body of each subject and URL. */
  readonly #first = new Map<string, string>();
  /** All bodies, as their clients received them. */
  readonly delivered = new Set<string>();
  /** The bodies that the test has made itself, in the order in which they are read. */
  readonly #made = new Set<string>();
  /** Whether the mutation of the trial has changed a body; undefined for another trial. */
  isApplied: boolean | undefined;

  constructor(trial: Trial | undefined, file: string) {
    this.#trial = trial;
    this.#file = file;
    if (trial !== undefined && 'mutation' in trial) this.isApplied = false;
  }

  /** Notes a body, and returns what its client receives in its place. */
  inPlaceOf(body: string, url: string, source: Source): string {
    const { subject } = source;
    const key = `${subject} ${url}`;
    const first = this.#first.get(key) ?? body;
    this.#first.set(key, first);
    if (this.#trial === undefined) this.#note(source, body, first !== body);
    const received = this.#mutated(body, first, subject);
    if (received !== body) this.isApplied = true;
    this.delivered.add(received);
    return received;
  }

  #mutated(body: string, first: string, subject: string): string {
    const trial = this.#trial;
    if (trial === undefined || !('mutation' in trial) || trial.subject !== subject) return body;
    return trial.mutation.mutator === 'older' ? first : wrong(body, trial.mutation);
  }

  /** Does the same with the body of a batch. @param sources one for each of its parts, in their order */
  inPlaceOfBatch(body: string, url: string, sources: readonly Source[]): string {
    const parts = parseJson(body);
    // An error of the whole batch is no list.
    if (!Array.isArray(parts) || parts.length !== sources.length) return body;
    const received = sources.map((one, at) => this.inPlaceOf(JSON.stringify(parts[at]), url, one));
    const batch = `[${received.join(',')}]`;
    this.#sources.set(batch, sources);
    this.delivered.add(batch);
    return batch;
  }

  /**
   * Does the same with the body of a response that the test has made itself.
   *
   * @param endpoint undefined for one without a URL, which is named by the file of the test
   */
  inPlaceOfMade(body: string, endpoint: string | undefined, status: number): string {
    if (this.delivered.has(body)) return body;
    this.#made.add(body);
    const nth = [...this.#made].indexOf(body) + 1;
    const name = endpoint ?? `response${nth === 1 ? '' : ` ${nth}`} of ${this.#file}`;
    return this.inPlaceOf(body, name, { subject: `${name} ${status}` });
  }

  /** The responses that the test has made itself, without a request. */
  get made(): ReceivedResponse[] {
    return Array.from(this.#made, (body) => ({ method: '', url: '', status: 0, body }));
  }

  #note(source: Source, body: string, changes: boolean): void {
    const value = parseJson(body);
    if (value === undefined) return;
    const { subject } = source;
    this.#sources.set(body, source);
    const known = this.#bySubject.get(subject) ?? {
      body: value,
      changes: false,
      fields: new Map<string, ReadField>(),
      counts: new Map<string, number>(),
    };
    known.changes ||= changes;
    this.#bySubject.set(subject, known);
  }

  /** Returns parsed JSON that notes which of its fields are read, if it is that of a response. */
  observe(text: string, value: unknown): unknown {
    const source = this.#sources.get(text);
    if (source === undefined) return value;
    if ('subject' in source) return this.#observed(value, source);
    return Array.isArray(value)
      ? value.map((part, at) => this.#observed(part, source[at]!))
      : value;
  }

  #observed(value: unknown, { subject, office }: Source): unknown {
    const received = this.#bySubject.get(subject);
    if (received === undefined) return value;
    const onRead: OnRead = (path, read, called) => {
      const key = path.join('\0');
      const known = received.fields.get(key);
      const isKnown = (known?.value ?? undefined) !== undefined;
      if (isKnown && known?.library === undefined) return;
      const count = (received.counts.get(key) ?? 0) + 1;
      received.counts.set(key, count);
      const caller = called && callerOfRead(called, this.#file);
      const mayBeOfLibrary = known === undefined || known.library !== undefined;
      const library = mayBeOfLibrary && count < maxReads ? caller?.library : undefined;
      const field = isKnown ? known! : { value: read, members: membersOf(office, path, read) };
      received.fields.set(key, { ...field, path, at: known?.at ?? caller?.at, library });
    };
    if (Array.isArray(value)) {
      onRead([], value);
      readItems([], value, onRead);
    }
    return observed(value, onRead);
  }

  get subjects(): RecordedSubject[] {
    return Array.from(this.#bySubject, ([subject, { body, changes, fields }]) => ({
      subject,
      body,
      changes,
      fields: [...fields.values()],
    }));
  }
}

function wrong(body: string, mutation: Mutation): string {
  const value = parseJson(body);
  return value === undefined ? body : JSON.stringify(mutate(value, mutation));
}

/** Returns the states of the machine that knows a value. */
function membersOf(
  office: ObservedOffice | undefined,
  path: FieldPath,
  value: unknown,
): readonly string[] {
  const name = path.at(-1) ?? '';
  if (office === undefined || typeof value !== 'string' || !name.endsWith('state')) return [];
  return office.shop.api.machines.find(({ states }) => states.includes(value))?.states ?? [];
}

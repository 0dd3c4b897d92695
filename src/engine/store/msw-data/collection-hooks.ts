import type { Collection, Query } from '@msw/data';
import type * as z from 'zod';
import { type New, type Row, type RowOf, isPlain, type Fields, type Path } from '../row.ts';
import { TypedEvent } from 'rettime';
import { valueAt } from '../../lib/json-value.ts';
import type { WriteListener } from '../table-definition.ts';

/**
 * The record type in the signatures of the library. It includes symbols by which the library tracks
 * relations. Rows lack them, and only the library can read them.
 */
export type Recorded<Schema extends z.ZodType<Row>> = ReturnType<Collection<Schema>['all']>[number];

/** Values of a new record, before the schema has filled in its defaults. The table adds the id and the stamps. */
export type Input<Schema extends z.ZodType<Row>> =
  | Parameters<Collection<Schema>['create']>[0]
  | New<Parameters<Collection<Schema>['create']>[0]>;

/** Selects records: a query, or a function that builds one. */
export type Matching<Schema extends z.ZodType<Row>> =
  | ((query: Query<Recorded<Schema>>) => Query<Recorded<Schema>>)
  | Query<Recorded<Schema>>;

export type FindOptions<Schema extends z.ZodType<Row>> = NonNullable<
  Parameters<Collection<Schema>['findMany']>[1]
>;

export type UpdateOptions<Schema extends z.ZodType<Row>> = Parameters<
  Collection<Schema>['updateMany']
>[1];

export type DeleteOptions<Schema extends z.ZodType<Row>> = NonNullable<
  Parameters<Collection<Schema>['deleteMany']>[1]
>;

/** The option to throw if nothing matches. */
export interface Strict<S extends boolean> {
  strict?: S;
}

/** The result of a method that finds one record. */
export type FindResult<Schema extends z.ZodType<Row>, S extends boolean> = S extends true
  ? Recorded<Schema>
  : Recorded<Schema> | undefined;

export type Hooks<Schema extends z.ZodType<Row>> = Collection<Schema>['hooks'];

/** A row, as the table and as the library type it. */
export type Stored<Schema extends z.ZodType<Row>> = RowOf<Schema> & Recorded<Schema>;

/** Emits the events of a collection for each write to its table. Builds no event if there are no listeners. */
export class CollectionHooks<Schema extends z.ZodType<Row>> implements WriteListener<
  Stored<Schema>
> {
  readonly #emitter: Hooks<Schema>;

  constructor(emitter: Hooks<Schema>) {
    this.#emitter = emitter;
  }

  get isActive(): boolean {
    return this.#emitter.listenerCount() > 0;
  }

  create(record: Stored<Schema>, initialValues: z.input<Schema>): void {
    this.#emitter.emit(new TypedEvent('create', { data: { record, initialValues } }));
  }

  /** Does the same as `create`, but waits for asynchronous listeners. */
  async createAsync(record: Stored<Schema>, initialValues: z.input<Schema>): Promise<void> {
    if (!this.isActive) return;
    await this.#emitter.emitAsPromise(
      new TypedEvent('create', { data: { record, initialValues } }),
    );
  }

  /** Emits one event for each path. A prevented change is reset in the next record. */
  update(previous: Stored<Schema>, next: Fields<Stored<Schema>>, paths: readonly Path[]): boolean {
    const prevented = paths.filter((path) => {
      const event = updateEvent<Schema>(previous, next, path);
      this.#emitter.emit(event);
      return event.defaultPrevented;
    });
    for (const path of prevented) resetField(previous, next, path);
    return prevented.length > 0;
  }

  delete(deletedRecord: Stored<Schema>): boolean {
    const event = new TypedEvent('delete', { data: { deletedRecord } });
    this.#emitter.emit(event);
    return event.defaultPrevented;
  }
}

function updateEvent<Schema extends z.ZodType<Row>>(
  prevRecord: Stored<Schema>,
  nextRecord: Stored<Schema>,
  path: Path,
) {
  const data = {
    prevRecord,
    nextRecord,
    path: [...path],
    prevValue: valueAt(prevRecord, path),
    nextValue: valueAt(nextRecord, path),
  };
  return new TypedEvent('update', { data });
}

/** Resets a field of the next record to its previous value. Lists are reset as a whole, since their items may have moved. */
function resetField(previous: Row, next: Fields, path: Path): void {
  let from: unknown = previous;
  let to: unknown = next;
  for (const [at, key] of path.entries()) {
    if (!isPlain(from) || !isWritable(to)) return;
    const was = from[key];
    if (at === path.length - 1 || !isPlain(was) || !isPlain(to[key])) {
      if (Object.hasOwn(from, key)) to[key] = was;
      else delete to[key];
      return;
    }
    from = was;
    to = to[key];
  }
}

function isWritable(value: unknown): value is Record<string, unknown> {
  return isPlain(value) && !Object.isFrozen(value);
}

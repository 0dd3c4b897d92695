import { TypedEvent } from 'rettime';
import type * as z from 'zod';
import { typed, type Hooks, type Recorded } from './recorded.ts';
import { isPlain, type Row } from './row.ts';

/** Where in a record something changed: `['address', 'city']`. */
export type Path = ReadonlyArray<string | number>;

/** A record in the making: listeners may still change it, then the same object is frozen and stored. */
export type Fields = Row & Record<string, unknown>;

/** Tells the listeners of a table what is about to be written. Nothing is made where nobody listens. */
export class RowHooks<Schema extends z.ZodType<Row>> {
  readonly #emitter: Hooks<Schema>;

  constructor(emitter: Hooks<Schema>) {
    this.#emitter = emitter;
  }

  get isActive(): boolean {
    return this.#emitter.listenerCount() > 0;
  }

  create(record: Fields, initialValues: unknown): void {
    if (this.isActive) this.#emitter.emit(createEvent<Schema>(record, initialValues));
  }

  /** The same, where the listeners may take their time. */
  async createInTime(record: Fields, initialValues: unknown): Promise<void> {
    if (this.isActive)
      await this.#emitter.emitAsPromise(createEvent<Schema>(record, initialValues));
  }

  /**
   * One event for each path. What a listener prevents is taken back out of the next record.
   *
   * @returns whether something was prevented
   */
  update(previous: Row, next: Fields, paths: readonly Path[]): boolean {
    const prevented = paths.filter((path) => {
      const event = updateEvent<Schema>(previous, next, path);
      this.#emitter.emit(event);
      return event.defaultPrevented;
    });
    for (const path of prevented) takeBack(previous, next, path);
    return prevented.length > 0;
  }

  /** @returns whether a listener prevents it */
  delete(row: Row): boolean {
    if (!this.isActive) return false;
    const event = new TypedEvent('delete', {
      data: { deletedRecord: typed<Recorded<Schema>>(row) },
    });
    this.#emitter.emit(event);
    return event.defaultPrevented;
  }
}

function createEvent<Schema extends z.ZodType<Row>>(record: Row, initialValues: unknown) {
  const data = {
    record: typed<Recorded<Schema>>(record),
    initialValues: typed<z.input<Schema>>(initialValues),
  };
  return new TypedEvent('create', { data });
}

function updateEvent<Schema extends z.ZodType<Row>>(previous: Row, next: Row, path: Path) {
  const data = {
    prevRecord: typed<Recorded<Schema>>(previous),
    nextRecord: typed<Recorded<Schema>>(next),
    path: [...path],
    prevValue: valueAt(previous, path),
    nextValue: valueAt(next, path),
  };
  return new TypedEvent('update', { data });
}

function valueAt(row: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (isPlain(value)) return value[key];
    return Array.isArray(value) ? Reflect.get(value, key) : undefined;
  }, row);
}

/** Gives a place of the next record its previous value; a list as a whole, since its places may have moved. */
function takeBack(previous: Row, next: Fields, path: Path): void {
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

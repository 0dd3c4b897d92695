import type * as z from 'zod';
import { withoutUndefined } from '../row-builder.ts';
import type { Fields, Path, Row, RowOf, Values } from '../row.ts';
import { assertValid, andThen, withKnownFields, type MaybePromise } from '../table-definition.ts';
import type { Table, TableParts } from '../table.ts';
import { create as createDraft } from 'mutative';

/** Changes a draft of a record, perhaps asynchronously. */
export type Updater = (draft: never) => MaybePromise<void>;

/** Receives each record before it is created, perhaps asynchronously. */
interface AsyncHooks<R extends Row> {
  createAsync(record: Fields<R>, initialValues: unknown): Promise<void>;
}

/** A row, its next version and the paths that differ. */
interface Revision<R extends Row> {
  readonly previous: R;
  readonly next: Fields<R>;
  readonly paths: readonly Path[];
}

/** Stores records whose schema or listeners may be asynchronous. Atomic. */
export async function createRows<Schema extends z.ZodType<Row>>(
  { rows, builder, transaction, store }: TableParts<RowOf<Schema>>,
  hooks: AsyncHooks<RowOf<Schema>>,
  list: readonly Values[],
): Promise<RowOf<Schema>[]> {
  const taken: number[] = [];
  try {
    const drafts = list.map(async (values) => {
      if (values['id'] === undefined) taken.push(rows.takeId());
      return withoutUndefined(
        await builder.validate(builder.complete(values, rows.current.nextId - 1)),
      );
    });
    const made = await Promise.all(drafts);
    for (const [at, fields] of made.entries()) await hooks.createAsync(fields, list[at]);
    return transaction.run(() => made.map((fields) => store(fields)));
  } catch (error) {
    for (const id of taken.toReversed()) rows.releaseId(id);
    throw error;
  }
}

/**
 * Calls an updater with drafts of rows, and stores the drafts as the schema parses them. Atomic.
 *
 * @returns undefined if one of the rows was written to in the meantime; then nothing is stored
 */
export async function updateRows<Schema extends z.ZodType<Row>>(
  table: Table<Schema, string, string>,
  list: readonly RowOf<Schema>[],
  updater: Updater,
): Promise<RowOf<Schema>[] | undefined> {
  const { definition, parts } = table;
  const { rows, transaction, replace } = parts;
  const revisions: Revision<RowOf<Schema>>[] = [];
  for (const row of list) {
    const revision = revise(table, row, updater);
    revisions.push(revision instanceof Promise ? await revision : revision);
  }
  if (revisions.some(({ previous }) => rows.current.rows.get(previous.id) !== previous))
    return undefined;
  return transaction.run(() =>
    revisions.map(({ previous, next, paths }) =>
      replace(
        previous,
        next,
        () => paths,
        () => assertValid(definition.schema, next, `${definition.name}: record ${next.id}`),
      ),
    ),
  );
}

function revise<Schema extends z.ZodType<Row>>(
  { definition, parts: { builder } }: Table<Schema, string, string>,
  previous: RowOf<Schema>,
  updater: Updater,
): MaybePromise<Revision<RowOf<Schema>>> {
  const [draft, finish] = createDraft<Row, true>(previous, { enablePatches: true });
  // The type of a draft of records of any schema is not known.
  return andThen(updater(draft as never), () => {
    withKnownFields(definition, draft, draft.id);
    const [changed, patches] = finish();
    const next: Fields = { ...changed };
    const paths: Path[] = patches.map(({ path }) => path);
    if (!paths.some(([first]) => first === 'updated_at') && builder.stampUpdated(next))
      paths.push(['updated_at']);
    return andThen(builder.validate(next), (fields) => ({
      previous,
      next: withoutUndefined(fields),
      paths,
    }));
  });
}

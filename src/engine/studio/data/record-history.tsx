import type { RecordChange } from '../../office/changes.ts';
import { hrefTo, hrefToEntry } from '../route.ts';
import type { Summary } from '../source.ts';
import { valueText, type TableInfo } from './table-value.tsx';
import { Empty } from '../ui.tsx';

/** An entry of the history of a record. */
export type RecordEntry = Summary & { readonly change: RecordChange };

export function EntryLink({ entry: { id, title, step = '' } }: { readonly entry: Summary }) {
  return (
    <a href={hrefToEntry(id)} title={title}>
      {`#${id} ${title} ${step}`}
    </a>
  );
}

/** Links to the records of other tables that have this one's id. */
export function Referring({
  tables,
  table,
  id,
  name,
}: {
  readonly tables: readonly TableInfo[];
  readonly table: TableInfo;
  readonly id: string;
  readonly name: string;
}) {
  const referring = tables.flatMap(({ name: from, fields, rows }) =>
    rows === 0
      ? []
      : fields
          .filter((field) => field.refers_to === table.name && field.kind !== 'array')
          .map((field) => ({ from, field: field.name })),
  );
  if (referring.length === 0) return null;
  return (
    <section class="card">
      <h2>What refers to {name}</h2>
      <ul class="chips">
        {referring.map(({ from, field }) => (
          <li key={`${from} ${field}`}>
            <a href={`${hrefTo('data', from)}?where.${field}=${id}`}>
              {from.replaceAll('_', ' ')} <span class="soft">by {field}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function RecordHistory({
  history,
  name,
}: {
  readonly history: readonly RecordEntry[];
  readonly name: string;
}) {
  return (
    <section class="card">
      <h2>History of {name}</h2>
      {history.length === 0 && <Empty>Unchanged since the start.</Empty>}
      <ol class="list">
        {history.toReversed().map((entry) => (
          <li key={entry.id}>
            <p>
              <EntryLink entry={entry} /> <span class="soft">{valueText(entry.at)}</span>
            </p>
            <ul>
              {entry.change.kind !== 'change' && <li>{entry.change.kind}</li>}
              {entry.change.kind !== 'add' &&
                entry.change.fields
                  .filter(({ field }) => field !== 'updated_at')
                  .map(({ field, before, after }) => (
                    <li key={field}>
                      <code>{field}</code> <del>{textOf(before)}</del> → <ins>{textOf(after)}</ins>
                    </li>
                  ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
}

function textOf(value: unknown): string {
  return value === undefined ? 'unset' : valueText(value);
}

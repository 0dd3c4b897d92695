import type { RecordHistoryView } from '../../engine/control/endpoints/tables.ts';
import { toneOf } from '../tones.ts';
import { sentenceIn } from '../entries.ts';
import { LostChanges, unchangedText } from '../lost-changes.tsx';
import { hrefTo, hrefToEntry } from '../route.ts';
import type { Summary } from '../source.ts';
import { valueText, type TableInfo } from './table-value.tsx';
import { Empty } from '../ui.tsx';
import type { Studio } from '../studio.ts';

/** An entry of the history of a record. */
export type RecordEntry = RecordHistoryView['entries'][number];

export function entryLink(studio: Studio, entry: Summary) {
  return (
    <a href={hrefToEntry(entry.id)} title={entry.title}>
      {`#${entry.id} ${sentenceIn(studio, entry)}`}
    </a>
  );
}

/** Links to the records of other tables that have this one's id. */
export function referring(
  tables: readonly TableInfo[],
  table: TableInfo,
  id: string,
  name: string,
) {
  const fields = tables
    .filter(({ rows }) => rows > 0)
    .flatMap((one) => one.fields.map((field) => ({ ...field, from: one.name })))
    .filter(({ refers_to: target, kind }) => target === table.name && kind !== 'array');
  if (fields.length === 0) return null;
  return (
    <section class="card">
      <h2>What refers to {name}</h2>
      <ul class="chips">
        {fields.map(({ from, name: field }) => (
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

/** Returns the changes of a record, as far back as changes are kept. */
export function recordHistory(
  studio: Studio,
  { changesFrom, entries }: RecordHistoryView,
  name: string,
) {
  const isShown = (entry: Summary) =>
    studio.preview.entry === undefined || studio.preview.isInEffect(entry);
  return (
    <section class="card">
      <h2>History of {name}</h2>
      {entries.length === 0 && (
        <Empty>{unchangedText(studio, changesFrom, 'Unchanged since the start.')}</Empty>
      )}
      <ol class="list">
        {entries
          .toReversed()
          .filter((entry) => isShown(entry))
          .map((entry) => (
            <li key={entry.id}>
              <p>
                {entryLink(studio, entry)} <span class="soft">{valueText(entry.at)}</span>
              </p>
              <ul>
                {entry.change.kind !== 'change' && <li>{entry.change.kind}</li>}
                {entry.change.kind !== 'add' &&
                  entry.change.fields
                    .filter(({ field }) => field !== 'updated_at')
                    .map(({ field, before, after }) => (
                      <li key={field}>
                        <code>{field}</code> <del>{textOf(before)}</del> →{' '}
                        <ins class={/(^|_)state$/.test(field) ? toneOf(studio, after) : undefined}>
                          {textOf(after)}
                        </ins>
                      </li>
                    ))}
              </ul>
            </li>
          ))}
      </ol>
      <LostChanges changesFrom={changesFrom} />
    </section>
  );
}

function textOf(value: unknown): string {
  return value === undefined ? 'unset' : valueText(value);
}

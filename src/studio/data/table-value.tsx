import type { RowsView, TableView } from '../../engine/control/endpoints/tables.ts';
import { withoutZone } from '../format.ts';
import { hrefTo } from '../route.ts';

/** A table with its fields. */
export type { TableView as TableInfo } from '../../engine/control/endpoints/tables.ts';
export type TableField = TableView['fields'][number];
/** A record with its fields. */
export type TableRow = RowsView['rows'][number];

/** A value of a record. Ids of other records are links, lists of them, too. */
export function Value({
  field: { refers_to: table },
  value,
}: {
  readonly field: TableField;
  readonly value: unknown;
}) {
  if (value === undefined || value === null) return <span class="soft">–</span>;
  const link = (id: unknown) =>
    table !== undefined && typeof id === 'number' ? (
      <a href={hrefTo('data', table, id)}>{id}</a>
    ) : (
      valueText(id)
    );
  if (!Array.isArray(value) || table === undefined) return <>{link(value)}</>;
  if (value.length === 0) return <span class="soft">none</span>;
  return (
    <>
      {value.map((id, at) => (
        <span key={String(id)}>
          {at > 0 && ', '}
          {link(id)}
        </span>
      ))}
    </>
  );
}

/** A value as text. Date-times are shown without their zone, which is always UTC. */
export function valueText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? '';
  return /^\d{4}-\d\d-\d\dT[\d:]{8}\+0000$/.test(value) ? withoutZone(value) : value;
}

/** The text of a value in a form: strings as they are, all else as JSON. Empty if it is unset. */
export function editText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reads the text of a form. An empty one unsets the field; text that is not JSON stays text. */
export function parseEdit({ kind }: TableField, text: string): unknown {
  if (text === '') return null;
  if (kind === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import { singularOf } from '../../engine/lib/words.ts';
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { Input, Select } from '../form.tsx';
import { entryLink, recordHistory, referring, type RecordEntry } from './record-history.tsx';
import type { RecordHistoryView } from '../../engine/control/endpoints/tables.ts';
import { hrefTo } from '../route.ts';
import {
  editText,
  parseEdit,
  Value,
  type TableField,
  type TableInfo,
  type TableRow,
} from './table-value.tsx';
import { Button, Empty, useLoaded } from '../ui.tsx';
import { useStudio, type Studio } from '../studio.ts';

/** The properties of what an API shows below the fields of a record. */
export interface RecordPartProps {
  readonly table: string;
  readonly row: TableRow;
}

interface RecordProps {
  readonly tables: readonly TableInfo[];
  readonly table: TableInfo;
  readonly id: string;
  readonly Part: ComponentType<RecordPartProps> | undefined;
}

/** One record: its fields, what set each of them, and what refers to it. */
export function RecordView({ tables, table, id, Part }: RecordProps) {
  const studio = useStudio();
  const path = `/_backlot/tables/${table.name}/${id}`;
  const { body: row, error } = useLoaded<TableRow>(`GET ${path}`);
  const { body: history } = useLoaded<RecordHistoryView>(`GET ${path}/history`);
  const { entries = [] } = history ?? {};
  const name = `${singularOf(table.name)} ${id}`;
  const section = studio.pages.value.sections.find((one) => one.table === table.name);
  return (
    <>
      <section class="card">
        <p class="back">
          <a href={hrefTo('data', table.name)}>{table.name.replaceAll('_', ' ')}</a>
        </p>
        <h1>{name}</h1>
        {section !== undefined && (
          <p>
            <a href={hrefTo(section.name, id)}>{section.about}</a>
          </p>
        )}
        {error !== undefined && <Empty>{error}</Empty>}
        {row !== undefined && <Fields table={table} row={row} name={name} history={entries} />}
      </section>
      {row !== undefined && Part && <Part table={table.name} row={row} />}
      {referring(tables, table, id, name)}
      {history !== undefined && recordHistory(studio, history, name)}
    </>
  );
}

const fixed = new Set(['id', 'created_at', 'updated_at']);
const unchangeable = new Set(['fault_rules', 'script_rules', 'tokens']);

interface FieldsProps {
  readonly table: TableInfo;
  readonly row: TableRow;
  readonly name: string;
  readonly history: readonly RecordEntry[];
}

function Fields({ table, row, name, history }: FieldsProps) {
  const studio = useStudio();
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>();
  const changed = Object.entries(edits ?? {}).filter(
    ([field, text]) => text !== editText(row[field]),
  );
  const save = async () => {
    const changes = Object.fromEntries(
      changed.map(([field, text]) => [field, parseEdit(fieldOf(table, field), text)]),
    );
    const reply = await studio.actions.act(
      `Changed ${name}: ${Object.keys(changes).join(', ')}`,
      `PATCH /_backlot/tables/${table.name}/${row.id}`,
      changes,
    );
    if (reply !== undefined) setEdits(undefined);
  };
  return (
    <form
      aria-label={`Fields of ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (changed.length > 0) void save();
      }}
    >
      <dl class="record">
        {table.fields.map((field) => (
          <div key={field.name}>
            <dt>
              <code>{field.name}</code>
            </dt>
            <dd>
              {edits === undefined || fixed.has(field.name) ? (
                <Value field={field} value={row[field.name]} />
              ) : (
                editField(field, edits[field.name] ?? editText(row[field.name]), (text) =>
                  setEdits({ ...edits, [field.name]: text }),
                )
              )}
            </dd>
            <dd class="soft">{setterOf(studio, history, field.name)}</dd>
          </div>
        ))}
      </dl>
      <div class="row">
        {edits === undefined && !unchangeable.has(table.name) && (
          <Button of={name} onClick={() => setEdits({})}>
            Edit
          </Button>
        )}
        {edits !== undefined && (
          <>
            <button class="primary" aria-disabled={changed.length === 0}>
              Save<span class="unseen"> {name}</span>
            </button>
            <Button of={`editing ${name}`} onClick={() => setEdits(undefined)}>
              Cancel
            </Button>
          </>
        )}
      </div>
    </form>
  );
}

function fieldOf({ fields }: TableInfo, name: string): TableField {
  return fields.find((one) => one.name === name) ?? { name };
}

/** The last entry that set a field. */
function setterOf(studio: Studio, history: readonly RecordEntry[], field: string) {
  const entry = history.findLast(({ change }) => change.fields.some((one) => one.field === field));
  return entry && <>set by {entryLink(studio, entry)}</>;
}

function editField(
  { name, values, kind }: TableField,
  value: string,
  onValue: (text: string) => void,
) {
  const choices = values ?? (kind === 'boolean' ? ['true', 'false'] : undefined);
  const field = { label: name, value, onValue };
  if (choices === undefined) return <Input class="wide" hint="unset" {...field} />;
  return <Select values={[...new Set(['', ...choices])]} titles={{ '': 'unset' }} {...field} />;
}

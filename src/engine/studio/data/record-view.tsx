import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { apiPages } from '../api-pages.ts';
import { Input, Select } from '../form.tsx';
import { singularOf } from '../format.ts';
import { EntryLink, RecordHistory, Referring, type RecordEntry } from './record-history.tsx';
import { hrefTo } from '../route.ts';
import { act } from '../store.ts';
import {
  editText,
  parseEdit,
  Value,
  type TableField,
  type TableInfo,
  type TableRow,
} from './table-value.tsx';
import { Button, Empty, useLoaded } from '../ui.tsx';

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
  const path = `/_backlot/tables/${table.name}/${id}`;
  const { body: row, error } = useLoaded<TableRow>(`GET ${path}`);
  const { body: history = [] } = useLoaded<readonly RecordEntry[]>(`GET ${path}/history`);
  const name = `${singularOf(table.name)} ${id}`;
  const section = apiPages().sections.find((one) => one.table === table.name);
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
        {row !== undefined && <Fields table={table} row={row} name={name} history={history} />}
      </section>
      {row !== undefined && Part && <Part table={table.name} row={row} />}
      <Referring tables={tables} table={table} id={id} name={name} />
      <RecordHistory history={history} name={name} />
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
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>();
  const changed = Object.entries(edits ?? {}).filter(
    ([field, text]) => text !== editText(row[field]),
  );
  const save = async () => {
    const changes = Object.fromEntries(
      changed.map(([field, text]) => [field, parseEdit(fieldOf(table, field), text)]),
    );
    const reply = await act(
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
          <FieldRow
            key={field.name}
            field={field}
            value={row[field.name]}
            setBy={setterOf(history, field.name)}
            edit={
              fixed.has(field.name)
                ? undefined
                : edits && (edits[field.name] ?? editText(row[field.name]))
            }
            onEdit={(text) => setEdits({ ...edits, [field.name]: text })}
          />
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
function setterOf(history: readonly RecordEntry[], field: string): RecordEntry | undefined {
  return history.findLast(({ change }) => change.fields.some((one) => one.field === field));
}

function FieldRow({
  field,
  value,
  setBy,
  edit,
  onEdit,
}: {
  readonly field: TableField;
  readonly value: unknown;
  readonly setBy: RecordEntry | undefined;
  /** The text in the form; undefined if the field is not edited. */
  readonly edit: string | undefined;
  readonly onEdit: (text: string) => void;
}) {
  return (
    <div>
      <dt>
        <code>{field.name}</code>
      </dt>
      <dd>
        {edit === undefined ? (
          <Value field={field} value={value} />
        ) : (
          <EditField field={field} text={edit} onEdit={onEdit} />
        )}
      </dd>
      <dd class="soft">
        {setBy !== undefined && (
          <>
            set by <EntryLink entry={setBy} />
          </>
        )}
      </dd>
    </div>
  );
}

function EditField({
  field: { name, values, kind },
  text,
  onEdit,
}: {
  readonly field: TableField;
  readonly text: string;
  readonly onEdit: (text: string) => void;
}) {
  const choices = values ?? (kind === 'boolean' ? ['true', 'false'] : undefined);
  if (choices !== undefined)
    return (
      <Select
        label={name}
        value={text}
        values={[...new Set(['', ...choices])]}
        titles={{ '': 'unset' }}
        onValue={onEdit}
      />
    );
  return <Input class="wide" label={name} value={text} hint="unset" onValue={onEdit} />;
}

import { singularOf } from '../../engine/lib/words.ts';
import type { RowsView } from '../../engine/control/endpoints/tables.ts';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Input, Select } from '../form.tsx';
import { Pages, pageSize } from '../pages.tsx';
import { hrefTo } from '../route.ts';
import { Value, type TableField, type TableInfo, type TableRow } from './table-value.tsx';
import { Empty, useLast, useLoaded } from '../ui.tsx';
import { useStudio } from '../studio.ts';

const prefix = 'where.';

/** A table with a filter for each column: the route has filters, sorting and page. */
export function TableView({ table }: { readonly table: TableInfo }) {
  const studio = useStudio();
  const { query } = studio.router.route.value;
  const { body, error } = useLoaded<RowsView>(`GET ${pathOf(table, query)}`);
  const shown = useLast(body);
  const isFiltered = [...query.keys()].some((key) => key.startsWith(prefix));
  const name = table.name.replaceAll('_', ' ');
  return (
    <section class="card">
      <p class="back">
        <a href={hrefTo('data')}>All tables</a>
      </p>
      <div class="row">
        <h1 class="grow">{name}</h1>
        {isFiltered && <a href={hrefTo('data', table.name)}>Show all</a>}
        {shown !== undefined && <Pages page={shown.page} total={shown.total} name={name} />}
      </div>
      {error !== undefined && <p class="bad">{error}</p>}
      <div class="scroll" role="region" tabIndex={0} aria-label={`Records: ${name}`}>
        <table class="data">
          <caption class="unseen">{name}</caption>
          <Head fields={table.fields} />
          <tbody>
            {shown?.rows.map((row) => (
              <Row key={row.id} row={row} table={table} />
            ))}
          </tbody>
        </table>
      </div>
      {shown?.total === 0 && <Empty>{isFiltered ? 'No record matches.' : 'No records.'}</Empty>}
    </section>
  );
}

function pathOf({ name, fields }: TableInfo, query: URLSearchParams): string {
  const conditions = fields.flatMap((field) => {
    const value = query.get(`${prefix}${field.name}`) ?? '';
    if (value.trim() === '') return [];
    return [`where[${field.name}]=${encodeURIComponent(condition(field, value))}`];
  });
  const sort = `sort=${encodeURIComponent(query.get('sort') ?? 'id')}`;
  const page = `page=${query.get('page') ?? '1'}`;
  return `/_backlot/tables/${name}?${[...conditions, sort, page, `limit=${pageSize}`].join('&')}`;
}

/** A part of a text is enough; numbers, ids and values of a list are compared as a whole. */
function condition({ kind, values }: TableField, value: string): string {
  const isText = kind === 'string' && values === undefined;
  return isText && !value.includes('*') ? `*${value}*` : value;
}

function Row({ row, table }: { readonly row: TableRow; readonly table: TableInfo }) {
  const name = singularOf(table.name);
  return (
    <tr>
      {table.fields.map((field) =>
        field.name === 'id' ? (
          <th key="id" scope="row">
            <a href={hrefTo('data', table.name, row.id)} aria-label={`${name} ${row.id}`}>
              {row.id}
            </a>
          </th>
        ) : (
          <td key={field.name} class={typeof row[field.name] === 'number' ? 'num' : undefined}>
            <Value field={field} value={row[field.name]} />
          </td>
        ),
      )}
    </tr>
  );
}

function Head({ fields }: { readonly fields: readonly TableField[] }) {
  const studio = useStudio();
  const sort = studio.router.route.value.query.get('sort') ?? 'id';
  return (
    <thead>
      <tr>
        {fields.map(({ name }) => (
          <th
            key={name}
            scope="col"
            aria-sort={sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined}
          >
            <a
              href={studio.router.hrefWith({
                sort: sort === name ? `-${name}` : name,
                page: undefined,
              })}
            >
              {name}
              <span aria-hidden="true">
                {sort === name ? ' ↑' : sort === `-${name}` ? ' ↓' : ''}
              </span>
            </a>
          </th>
        ))}
      </tr>
      <tr>
        {fields.map((field) => (
          <td key={field.name}>
            <FilterField field={field} />
          </td>
        ))}
      </tr>
    </thead>
  );
}

/** Filters while typing; the route follows a moment later. */
function FilterField({ field: { name, values } }: { readonly field: TableField }) {
  const studio = useStudio();
  const key = `${prefix}${name}`;
  const given = studio.router.route.value.query.get(key) ?? '';
  const [text, setText] = useState(given);
  useLayoutEffect(() => setText(given), [given]);
  useEffect(() => {
    if (text === given) return undefined;
    const timer = setTimeout(
      () => studio.router.go(studio.router.hrefWith({ [key]: text, page: undefined }), 'replace'),
      200,
    );
    return () => clearTimeout(timer);
  }, [text]);
  const label = `Filter by ${name}`;
  if (values !== undefined)
    return <Select label={label} value={text} values={['', ...values]} onValue={setText} />;
  return <Input label={label} value={text} onValue={setText} />;
}

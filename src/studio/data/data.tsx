import type { ComponentType } from 'preact';
import { RecordView, type RecordPartProps } from './record-view.tsx';
import { hrefTo } from '../route.ts';
import { TableView } from './table-view.tsx';
import type { TableInfo } from './table-value.tsx';
import { Disclosure, Empty, useLoaded } from '../ui.tsx';
import { useStudio } from '../studio.ts';

/** The pages of an API's data, in addition to its tables. */
export interface DataParts {
  /** A page that is none of a table, which is shown first: `#/data/stock`. */
  readonly page?: {
    readonly name: string;
    readonly title: string;
    readonly View: ComponentType;
  };
  /** More of a record, below its fields. */
  readonly Part?: ComponentType<RecordPartProps>;
}

/** Every table: `#/data/users?where.city=Oslo`, one record: `#/data/users/7`, and a page of the API. */
export function Data({ parts = {} }: { readonly parts?: DataParts }) {
  const studio = useStudio();
  const { body: tables = [], error } = useLoaded<readonly TableInfo[]>('GET /_backlot/tables');
  const [name, id] = studio.router.route.value.path;
  const { page } = parts;
  const isOwn = name === page?.name || (name === undefined && page !== undefined);
  const table = tables.find((one) => one.name === name);
  return (
    <div class={name === undefined ? 'split' : 'split chosen'}>
      {tableList(tables, name, page)}
      <div class="stack">
        {error !== undefined && <Empty>{error}</Empty>}
        {isOwn && page && <page.View />}
        {!isOwn && name !== undefined && table === undefined && tables.length > 0 && (
          <section class="card">
            <h1>There is no table {name}</h1>
          </section>
        )}
        {table !== undefined && id === undefined && <TableView key={table.name} table={table} />}
        {table !== undefined && id !== undefined && (
          <RecordView
            key={`${table.name} ${id}`}
            tables={tables}
            table={table}
            id={id}
            Part={parts.Part}
          />
        )}
      </div>
    </div>
  );
}

/** Tables of the back office itself, which other sections show. */
const internal = ['fault_rules', 'script_rules', 'sequences', 'settlements', 'tokens'];

/** @param chosen the name of the table that is shown */
function tableList(
  tables: readonly TableInfo[],
  chosen: string | undefined,
  page: DataParts['page'],
) {
  const others = tables.filter(({ name }) => internal.includes(name));
  return (
    <aside class="card side">
      {chosen === undefined && <h1 class="unseen">Data</h1>}
      <nav aria-label="Tables">
        <ul>
          {page && (
            <li>
              <a
                href={hrefTo('data', page.name)}
                aria-current={(chosen ?? page.name) === page.name ? 'page' : undefined}
              >
                {page.title}
              </a>
            </li>
          )}
        </ul>
        <h2>Tables</h2>
        {tableLinks(
          tables.filter((one) => !others.includes(one)),
          chosen,
        )}
        {others.length > 0 && (
          <Disclosure title="Internal tables" open={internal.includes(chosen ?? '')}>
            {tableLinks(others, chosen)}
          </Disclosure>
        )}
      </nav>
    </aside>
  );
}

function tableLinks(tables: readonly TableInfo[], chosen: string | undefined) {
  return (
    <ul>
      {tables.map(({ name, rows }) => (
        <li key={name}>
          <a href={hrefTo('data', name)} aria-current={name === chosen ? 'page' : undefined}>
            <span class="grow">{name.replaceAll('_', ' ')} </span>
            <span class="soft num">
              {rows.toLocaleString('en')}
              <span class="unseen"> {rows === 1 ? 'record' : 'records'}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

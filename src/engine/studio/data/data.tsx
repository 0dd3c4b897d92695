import { RecordView } from './record-view.tsx';
import { hrefTo, route } from '../route.ts';
import { StockTable } from './stock.tsx';
import { TableView } from './table-view.tsx';
import type { TableInfo } from './table-value.tsx';
import { Empty, useLoaded, type SectionProps } from '../ui.tsx';

const stock = 'stock';

/** Every table: `#/data/orders?where.state=cart`, one record: `#/data/orders/105`, and the stock of all variants. */
export function Data({ source }: SectionProps) {
  const { body: tables = [], error } = useLoaded<readonly TableInfo[]>(
    source,
    'GET /_backlot/tables',
  );
  const [name, id] = route.value.path;
  const isStock = name === undefined || name === stock;
  const table = tables.find((one) => one.name === name);
  return (
    <div class={name === undefined ? 'split' : 'split chosen'}>
      <TableList tables={tables} chosen={name} />
      <div class="stack">
        {error !== undefined && <Empty>{error}</Empty>}
        {isStock && <StockTable source={source} />}
        {!isStock && table === undefined && tables.length > 0 && (
          <section class="card">
            <h1>There is no table {name}</h1>
          </section>
        )}
        {table !== undefined && id === undefined && (
          <TableView key={table.name} source={source} table={table} />
        )}
        {table !== undefined && id !== undefined && (
          <RecordView
            key={`${table.name} ${id}`}
            source={source}
            tables={tables}
            table={table}
            id={id}
          />
        )}
      </div>
    </div>
  );
}

function TableList({
  tables,
  chosen,
}: {
  readonly tables: readonly TableInfo[];
  readonly chosen: string | undefined;
}) {
  return (
    <aside class="card side">
      {chosen === undefined && <h1 class="unseen">Data</h1>}
      <nav aria-label="Tables">
        <ul>
          <li>
            <a
              href={hrefTo('data', stock)}
              aria-current={(chosen ?? stock) === stock ? 'page' : undefined}
            >
              Stock
            </a>
          </li>
        </ul>
        <h2>Tables</h2>
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
      </nav>
    </aside>
  );
}

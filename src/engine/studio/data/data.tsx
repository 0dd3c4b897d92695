import { RecordView } from './record-view.tsx';
import { hrefTo, route } from '../route.ts';
import { StockTable } from './stock.tsx';
import { TableView } from './table-view.tsx';
import type { TableInfo } from './table-value.tsx';
import { Disclosure, Empty, useLoaded, type SectionProps } from '../ui.tsx';

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

/** What the back office itself needs, which other sections show. */
const internal = ['fault_rules', 'script_rules', 'sequences', 'settlements', 'tokens'];

interface TablesProps {
  readonly tables: readonly TableInfo[];
  /** The name of the table that is shown. */
  readonly chosen: string | undefined;
}

function TableList({ tables, chosen }: TablesProps) {
  const others = tables.filter(({ name }) => internal.includes(name));
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
        <TableLinks
          tables={tables.filter(({ name }) => !internal.includes(name))}
          chosen={chosen}
        />
        {others.length > 0 && (
          <Disclosure title="Internal tables" open={internal.includes(chosen ?? '')}>
            <TableLinks tables={others} chosen={chosen} />
          </Disclosure>
        )}
      </nav>
    </aside>
  );
}

function TableLinks({ tables, chosen }: TablesProps) {
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

import { useLayoutEffect, useState } from 'preact/hooks';
import type { StockLevelView } from '../../../shop/control/shop-search.ts';
import { ExplainedValue } from '../../explained-value.tsx';
import { Form, Input, SelectField, TextField, useText } from '../../form.tsx';
import { formatValue } from '../../format.ts';
import { hrefTo } from '../../route.ts';
import type { RowsView } from '../../../engine/control/endpoints/tables.ts';
import { Empty, useLast, useLoaded } from '../../ui.tsx';
import { useStudio, type Studio } from '../../studio.ts';

type Stocked = Omit<StockLevelView, 'sku' | 'product' | 'location'>;

/** The stock of one variant at each location: see and set it. */
export function VariantStock({ variant }: { readonly variant: number }) {
  const { body: items = [] } = useLoaded<readonly Stocked[]>(`GET /_backlot/stock/${variant}`);
  const { body: locations } = useLoaded<RowsView>('GET /_backlot/tables/stock_locations?limit=200');
  const without = (locations?.rows ?? []).filter(
    ({ id }) => !items.some((item) => item.stock_location_id === id),
  );
  const nameOf = (id: number) =>
    formatValue(locations?.rows.find((one) => one.id === id)?.['name'] ?? `location ${id}`);
  return (
    <section class="card">
      <h2>Stock of variant {variant}</h2>
      {items.length === 0 && <Empty>No location has stock of it.</Empty>}
      <ul class="list">
        {items.map((item) => (
          <li key={item.id} class="row">
            <span class="grow">{nameOf(item.stock_location_id)}</span>
            {levels(item, nameOf(item.stock_location_id))}
            <StockForm item={item} at={nameOf(item.stock_location_id)} />
          </li>
        ))}
      </ul>
      {without.length > 0 && <NewStock variant={variant} locations={without} />}
    </section>
  );
}

function levels({ variant_id: variant, on_hand: onHand, on_hold: onHold }: Stocked, at: string) {
  return (
    <ExplainedValue path={`stock/${variant}`} of={`of variant ${variant} at ${at}`} tone="soft">
      {`${onHand} on hand, ${onHold} on hold`}
    </ExplainedValue>
  );
}

function setStock(studio: Studio, variant: number, stockLocation: number, onHand: string) {
  const body = { stockLocation, variant, onHand };
  return studio.actions.act(`Stock of variant ${variant}: ${onHand}`, 'PUT /_backlot/stock', body);
}

/** Sets the stock on hand of one variant at one location, which has a name. */
function StockForm({ item, at }: { readonly item: Stocked; readonly at: string }) {
  const studio = useStudio();
  const { variant_id: variant, stock_location_id: stockLocation, on_hand: onHand } = item;
  const text = useText(String(onHand));
  useLayoutEffect(() => text.onValue(String(onHand)), [onHand]);
  const name = `stock of variant ${variant} at ${at}`;
  return (
    <Form
      label={name}
      submit="Set"
      of={name}
      onSubmit={() => setStock(studio, variant, stockLocation, text.value)}
    >
      <TextField label={`On hand: ${name}`} isPlain inputMode="numeric" class="short" {...text} />
    </Form>
  );
}

function NewStock({
  variant,
  locations,
}: {
  readonly variant: number;
  readonly locations: RowsView['rows'];
}) {
  const studio = useStudio();
  const [chosen, setChosen] = useState('');
  const onHand = useText();
  const values = locations.map(({ id }) => String(id));
  const stockLocation = values.includes(chosen) ? chosen : (values[0] ?? '');
  return (
    <Form
      label={`Add stock of variant ${variant}`}
      submit="Add"
      of={`stock of variant ${variant}`}
      onSubmit={async () => {
        const reply = await setStock(studio, variant, Number(stockLocation), onHand.value);
        if (reply !== undefined) onHand.onValue('');
      }}
    >
      <SelectField
        label="Location"
        class="grow"
        value={stockLocation}
        values={values}
        titles={Object.fromEntries(
          locations.map(({ id, name }) => [String(id), formatValue(name)]),
        )}
        onValue={setChosen}
      />
      <TextField label="On hand" inputMode="numeric" required class="short" {...onHand} />
    </Form>
  );
}

/** The stock of all variants, which words filter. */
export function StockTable() {
  const text = useText();
  const { body } = useLoaded<{ readonly total: number; readonly items: readonly StockLevelView[] }>(
    `GET /_backlot/stock?find=${encodeURIComponent(text.value)}`,
  );
  const { total = 0, items } = useLast(body) ?? {};
  return (
    <section class="card">
      <p class="back">
        <a href={hrefTo('data')}>All tables</a>
      </p>
      <div class="row">
        <h1 class="grow">Stock</h1>
        <Input type="search" label="Search stock" hint="SKU, product, location" {...text} />
      </div>
      {items?.length === 0 && <Empty>No stock item matches.</Empty>}
      <ul class="list stock">
        {items?.map((item) => (
          <li key={item.id}>
            <span>
              <a href={hrefTo('data', 'variants', item.variant_id)}>{item.sku}</a>{' '}
              <bdi class="soft">{item.product}</bdi>
            </span>
            <bdi class="soft">{item.location}</bdi>
            {levels(item, item.location)}
            <StockForm item={item} at={item.location} />
          </li>
        ))}
      </ul>
      {items !== undefined && total > items.length && (
        <p class="soft">
          The first {items.length} of {total.toLocaleString('en')}: type a word to find others.{' '}
          <a href={hrefTo('data', 'stock_items')}>All stock items</a>
        </p>
      )}
    </section>
  );
}

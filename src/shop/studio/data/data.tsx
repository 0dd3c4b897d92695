import { Data as Tables } from '../../../engine/studio/data/data.tsx';
import type { RecordPartProps } from '../../../engine/studio/data/record-view.tsx';
import { hasPages } from '../../../engine/studio/api-pages.ts';
import { StockTable, VariantStock } from './stock.tsx';

const parts = {
  page: { name: 'stock', title: 'Stock', View: StockTable },
  Part: StockOf,
};

/** Every table, and the stock of all variants if the API is that of the store. */
export function Data() {
  return <Tables parts={hasPages.value ? parts : {}} />;
}

/** The stock of the variant that a record is or has. */
function StockOf({ table, row }: RecordPartProps) {
  if (table !== 'variants' && table !== 'stock_items') return null;
  const variant = table === 'variants' ? row.id : row['variant_id'];
  return typeof variant === 'number' ? <VariantStock variant={variant} /> : null;
}

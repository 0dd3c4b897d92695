import { Data as Tables } from '../../data/data.tsx';
import type { RecordPartProps } from '../../data/record-view.tsx';
import { StockTable, VariantStock } from './stock.tsx';
import { useStudio } from '../../studio.ts';

const parts = {
  page: { name: 'stock', title: 'Stock', View: StockTable },
  Part: StockOf,
};

/** Every table, and the stock of all variants if the API is that of the store. */
export function Data() {
  const studio = useStudio();
  return <Tables parts={studio.shop.hasPages.value ? parts : {}} />;
}

/** The stock of the variant that a record is or has. */
function StockOf({ table, row }: RecordPartProps) {
  if (table !== 'variants' && table !== 'stock_items') return null;
  const variant = table === 'variants' ? row.id : row['variant_id'];
  return typeof variant === 'number' ? <VariantStock variant={variant} /> : null;
}

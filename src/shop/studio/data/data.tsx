import { Data as Tables } from '../../../engine/studio/data/data.tsx';
import type { RecordPartProps } from '../../../engine/studio/data/record-view.tsx';
import type { SectionProps } from '../../../engine/studio/ui.tsx';
import { StockTable, VariantStock } from './stock.tsx';

const parts = {
  page: { name: 'stock', title: 'Stock', View: StockTable },
  Part: StockOf,
};

/** Every table, and the stock of all variants. */
export function Data({ source }: SectionProps) {
  return <Tables source={source} parts={parts} />;
}

/** The stock of the variant that a record is or has. */
function StockOf({ source, table, row }: RecordPartProps) {
  if (table !== 'variants' && table !== 'stock_items') return null;
  const variant = table === 'variants' ? row.id : row['variant_id'];
  return typeof variant === 'number' ? <VariantStock source={source} variant={variant} /> : null;
}

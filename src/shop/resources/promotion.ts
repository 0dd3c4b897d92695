import * as z from 'zod';
import { Configuration, Timestamp } from '../../engine/lib/fields.ts';
import { Promotion } from '../models/promotion.ts';
import { Link, pageForm } from '../../engine/rest/page.ts';
import { deletableRows, linkTo, defineView } from './endpoint.ts';
import { shownFields, stampsOf } from '../../engine/definition/shown-fields.ts';
import { byId, listing } from '../../engine/definition/listing.ts';

const Step = z.object({ id: z.int(), type: z.string(), configuration: Configuration });

const shown = shownFields(Promotion, 'name', 'priority', 'exclusive', 'coupon_based', 'used');

export const PromotionView = defineView('Promotion', () =>
  shown.shape({
    used: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
    actions: z.array(Step),
    rules: z.array(Step),
    _links: z.strictObject({ self: Link, coupons: Link }),
  }),
);
export type PromotionView = z.output<typeof PromotionView>;

export const promotionEndpoints = deletableRows({
  path: '/api/promotions',
  recordPath: '/api/promotions/:promotion_id',
  summary: { one: 'promotion', delete: 'Delete a promotion and its coupons' },
  example: { list: '?limit=2', deleted: 2 },
  table: ({ db }) => db.promotions,
  query: pageForm({ sorting: [...shown.names, 'created_at', 'updated_at'] }),
  list: (call) => listing(call.shop.db.promotions, byId, call),
  view: PromotionView,
  show: promotionView,
  beforeDelete({ id }, { db }) {
    for (const coupon of db.coupons.by('promotion', id)) db.coupons.remove(coupon.id);
  },
});

export function promotionView(promotion: Promotion): PromotionView {
  return {
    ...shown.of(promotion),
    ...stampsOf(promotion),
    actions: promotion.actions.map(stepView),
    rules: promotion.rules.map(stepView),
    _links: {
      self: linkTo('promotions', promotion.id),
      coupons: linkTo('promotions', promotion.id, 'coupons'),
    },
  };
}

function stepView({ id, type, configuration }: Promotion['actions' | 'rules'][number]) {
  return { id, type, configuration };
}

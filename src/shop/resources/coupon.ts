import * as z from 'zod';
import type { Coupon } from '../models/promotion.ts';
import { integer, text } from '../../engine/rest/field.ts';
import { form } from '../../engine/rest/form.ts';
import { Link, Page, pageForm } from '../../engine/rest/page.ts';
import { findOrThrow, pageOf, mustBeUnique } from '../../engine/definition/records.ts';
import { endpoint, linkTo, defineView } from './endpoint.ts';
import { byId, listing } from '../../engine/definition/listing.ts';

export const CouponView = defineView('Coupon', () => ({
  id: z.int(),
  code: z.string(),
  usage_limit: z.int().optional(),
  used: z.int(),
  _links: z.strictObject({ promotion: Link, self: Link }),
}));
export type CouponView = z.output<typeof CouponView>;

const couponForm = form({
  code: text({ label: 'Coupon code', min: 2 }),
  usageLimit: integer({ min: 1, tooSmall: 'Coupon usage limit must be at least 1.' }),
});

export const couponEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/promotions/:promotion_id/coupons',
    summary: 'List the coupons of a promotion',
    query: pageForm({ sorting: ['id', 'code', 'usage_limit', 'used'] }),
    status: 200,
    answer: Page(CouponView),
    errors: ['missing', 'invalid'],
    example: { url: '/api/promotions/1/coupons?limit=2' },
    subject: ({ shop, params }) => findOrThrow(shop.db.promotions, params.promotion_id),
    handle(call) {
      const { coupons } = call.shop.db;
      const among = coupons.by('promotion', call.subject.id);
      return pageOf(listing(coupons, byId, call, { among }), couponView, call);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/promotions/:promotion_id/coupons/:coupon_id',
    summary: 'Read a coupon of a promotion',
    isExtra: true,
    status: 200,
    answer: CouponView,
    errors: ['missing'],
    example: { url: '/api/promotions/1/coupons/1' },
    handle({ shop: { db }, params }) {
      const { id } = findOrThrow(db.promotions, params.promotion_id);
      return couponView(
        findOrThrow(db.coupons, params.coupon_id, ({ promotion_id }) => promotion_id === id),
      );
    },
  }),
  createCoupon('/api/promotion/:promotion_id/coupons/'),
  createCoupon('/api/promotions/:promotion_id/coupons/'),
];

/** The specification has the path in the singular and links in the plural; both are served. */
function createCoupon(path: `/api/promotion${'' | 's'}/:promotion_id/coupons/`) {
  return endpoint({
    method: 'POST',
    path,
    ...(path.startsWith('/api/promotion/') && { operationId: 'addCoupon' }),
    summary: 'Add a coupon to a promotion',
    body: couponForm,
    status: 201,
    answer: CouponView,
    errors: ['missing', 'invalid'],
    example: {
      url: path.replace(':promotion_id', '1'),
      body: { code: 'WELCOME-BACK', usageLimit: 5 },
    },
    subject: ({ shop, params }) => findOrThrow(shop.db.promotions, params.promotion_id),
    check: ({ shop, body }) => [
      mustBeUnique(
        'code',
        body.code === undefined ? undefined : shop.db.coupons.findUnique('code', body.code),
        undefined,
        'This coupon already exists.',
      ),
    ],
    handle: ({ shop, subject, body }) =>
      couponView(
        shop.db.coupons.add({
          promotion_id: subject.id,
          code: body.code,
          usage_limit: body.usageLimit,
          used: 0,
        }),
      ),
    location: ({ _links }) => _links.self.href,
  });
}

export function couponView(coupon: Coupon): CouponView {
  return {
    id: coupon.id,
    code: coupon.code,
    ...(coupon.usage_limit !== undefined && { usage_limit: coupon.usage_limit }),
    used: coupon.used,
    _links: {
      promotion: linkTo('promotions', coupon.promotion_id),
      self: linkTo('promotions', coupon.promotion_id, 'coupons', coupon.id),
    },
  };
}

import * as z from 'zod';
import { Configuration, Timestamp } from '../models/fields.ts';
import type { ShippingMethod } from '../models/shipping-method.ts';
import { Link } from '../rest/page.ts';
import { to } from './href.ts';
import { remembering } from './remembering.ts';

export const ShippingMethodView = z.strictObject({
  id: z.int(),
  name: z.string(),
  enabled: z.boolean(),
  calculator: z.string(),
  category_requirement: z.int(),
  configuration: Configuration,
  created_at: Timestamp,
  updated_at: Timestamp,
  _links: z.strictObject({ self: Link, zone: Link }),
});
export type ShippingMethodView = z.output<typeof ShippingMethodView>;

const rememberShippingMethod = remembering<ShippingMethodView>();

export function shippingMethodView(method: ShippingMethod): ShippingMethodView {
  return rememberShippingMethod(method, [], () => ({
    id: method.id,
    name: method.name,
    enabled: method.enabled,
    calculator: method.calculator,
    category_requirement: method.category_requirement,
    configuration: method.configuration,
    created_at: method.created_at,
    updated_at: method.updated_at,
    _links: { self: to.shippingMethod(method.id), zone: to.zone(method.zone_id) },
  }));
}

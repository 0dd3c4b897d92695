import type { ApiDefinition } from '../../engine/definition/api.ts';
import type { DriftDefinition } from '../../engine/definition/drift.ts';

/** `/api/orders/3/items/` → `orders`; `/oauth/v2/token` → `oauth` */
export function resourceOf(path: string): string {
  const [, first = '', second = ''] = path.split(/[/?]/);
  return first === 'api' ? second : first;
}

/** Returns the resources that a check can be limited to. */
export async function resourceNames({
  endpoints,
  drift,
}: ApiDefinition): Promise<readonly string[]> {
  const { aliases = {} } = (await drift?.()) ?? {};
  return [...new Set(endpoints.map(({ path }) => aliasOf(resourceOf(path), aliases)))];
}

export function aliasOf(name: string, aliases: DriftDefinition['aliases'] = {}): string {
  return aliases[name] ?? name;
}

import {
  filled,
  json as type,
  post,
  put,
  type Room,
  type Send,
  type Sent,
  type Visit,
} from './visit.ts';
import { address } from '../support/checkout-steps.ts';
import { nastyBodies } from './visitors-requests.ts';

/** Valid and invalid imports, and requests to a hand-made shop. */
export function importStories(room: Room): Visit[] {
  return [...wrongFiles(room), ...bracketed(room), ...handmade(room)];
}

function wrongFiles(room: Room): Visit[] {
  const size = room.import - 400;
  const rows = (table: string, row: string | ((at: number) => string)) =>
    `"${table}":{"next_id":1,"rows":[${filled(size, typeof row === 'string' ? () => row : row)}]}`;
  const tables: Record<string, string> = {
    'rows of 0': rows('users', '0'),
    'rows of 0 of no table': rows('nothing', '0'),
    'empty rows': rows('users', '{}'),
    'rows of no fields': rows('orders', (at) => `{"id":${at + 1}}`),
    'rows of wrong fields': rows('orders', (at) => `{"id":${at + 1},"a":[],"b":{}}`),
    'rows of one id': rows('currencies', '{"id":1,"code":"EUR"}'),
    'gone rows of 0': `"users":{"next_id":1,"rows":[],"gone":[${filled(size, () => '0')}]}`,
    'many tables': filled(size, (at) => `"a${at}":0`),
    'many empty tables': filled(size, (at) => `"a${at}":{"next_id":1,"rows":[]}`),
    'tables of unknown keys': `"users":{${filled(size, (at) => `"a${at}":0`)}}`,
    'bad faults': rows('fault_rules', (at) => `{"id":${at + 1},"match":{},"matched":0}`),
    'faults of unknown parameters': rows(
      'fault_rules',
      (at) =>
        `{"id":${at + 1},"match":{"path":"/api/orders/","parameters":{"${'a'.repeat(30)}${at}":0}},"status":503,"matched":0}`,
    ),
    'one fault of many parameters': `"fault_rules":{"next_id":2,"rows":[{"id":1,"status":503,"matched":0,"match":{"parameters":{${filled(size, (at) => `"a${at}":0`)}}}}]}`,
    'a fault of a long body': `"fault_rules":{"next_id":2,"rows":[{"id":1,"status":503,"matched":0,"match":{},"body":[${filled(size, () => '{}')}]}]}`,
    'a fault of many texts': `"fault_rules":{"next_id":2,"rows":[{"id":1,"status":503,"matched":0,"match":{},"body":[${filled(size, () => '""')}]}]}`,
    'faults of long bodies': rows(
      'fault_rules',
      (at) =>
        `{"id":${at + 1},"status":503,"matched":0,"match":{},"body":[${filled(1000, () => '[]')}]}`,
    ),
    'rows of many unknown keys': rows(
      'zones',
      (at) =>
        `{"id":${at + 1},"name":"a","type":"zone","members":[],${filled(950, (name) => `"a${at}x${name}":0`)}}`,
    ),
    'rows of long lists': rows(
      'zones',
      (at) => `{"id":${at + 1},"name":"a","type":"zone","members":[${filled(9900, () => '1')}]}`,
    ),
    'rows of lists of objects': rows(
      'products',
      (at) => `{"id":${at + 1},"options":[${filled(9900, () => '{}')}]}`,
    ),
    'bad scripts': rows('script_rules', (at) => `{"id":${at + 1},"on":"a","match":{},"matched":0}`),
    'items of nothing': rows(
      'order_items',
      (at) =>
        `{"id":${at + 1},"order_id":${at},"variant_id":${at},"quantity":1,"unit_price":1,"total":1,"adjustments_total":0,"immutable":false,"created_at":"2026-03-02T09:00:00+0000","updated_at":"2026-03-02T09:00:00+0000"}`,
    ),
    'a row of many ids': `"zones":{"next_id":2,"rows":[{"id":1,"name":"a","type":"zone","members":[${filled(size, () => '1')}]}]}`,
    'a row of many wrong ids': `"zones":{"next_id":2,"rows":[{"id":1,"name":"a","type":"zone","members":[${filled(size, () => '0')}]}]}`,
    'a row of unknown keys': `"zones":{"next_id":2,"rows":[{"id":1,${filled(size, (at) => `"a${at}":0`)}}]}`,
    'a wild configuration': `"shipping_methods":{"next_id":2,"rows":[{"id":1,"configuration":{${filled(size, (at) => `"a${at}":{}`)}}}]}`,
    'a deep row': `"zones":{"next_id":2,"rows":[{"id":1,"name":${'['.repeat(50)}${']'.repeat(50)}}]}`,
    'many deep rows': rows('zones', `{"id":1,"name":${'['.repeat(50)}${']'.repeat(50)}}`),
  };
  const others: Record<string, string> = {
    'many settings': `{${head},"settings":{${filled(size, (at) => `"a${at}":0`)}},"tables":{}}`,
    'many keys': `{${head},"settings":{},"tables":{},${filled(size, (at) => `"a${at}":0`)}}`,
    'a long scenario': `{${head.replace('default', 'a'.repeat(size))},"settings":{},"tables":{}}`,
    'a long version': `{"format":"backlot","version":[${filled(size, () => '0')}]}`,
  };
  return [
    ...Object.entries(tables).map(([what, text]) => ({
      name: `import, ${what}`,
      request: importOf(`{${head},"settings":{},"tables":{${text}}}`),
    })),
    ...Object.entries(others).map(([what, body]) => ({
      name: `import, ${what}`,
      request: importOf(body),
    })),
  ];
}

const head =
  '"format":"backlot","version":1,"scenario":"default","seed":1,"now":"2026-03-02T09:00:00+0000","clock":"frozen"';

/** Bodies that are malformed or deeply nested, at the size that only imports accept. */
function bracketed(room: Room): Visit[] {
  return nastyBodies(room.import, ['tables']).map(({ what, ...sent }) => ({
    name: `import, ${what}`,
    request: { method: 'POST', url: '/_backlot/import/', ...sent },
  }));
}

type Row = Record<string, unknown>;
type Rows = Row[];
type File = Record<string, unknown> & { tables: Record<string, { next_id: number; rows: Rows }> };

/** Shops that a visitor could write by hand, as far as an import accepts them. */
function handmade(room: Room): Visit[] {
  const shops: Record<string, (file: File) => void> = {
    'as it is': () => undefined,
    'one order of all units': ({ tables }) => {
      for (const unit of tables['inventory_units']!.rows) unit['order_id'] = 109;
    },
    'many promotions': (file) => {
      const [promotion] = file.tables['promotions']!.rows;
      repeat(file, 'promotions', 800, { ...promotion, exclusive: false, coupon_based: false });
    },
    'promotions of many coupons': (file) => {
      const [promotion] = file.tables['promotions']!.rows;
      repeat(file, 'promotions', 300, { ...promotion, coupon_based: true });
      for (const order of file.tables['orders']!.rows) order['coupon_ids'] = [];
      file.tables['orders']!.rows[108]!['coupon_ids'] = Array.from({ length: 4900 }, () => 1);
    },
    'promotions of many rules': (file) => {
      const [promotion] = file.tables['promotions']!.rows;
      const rule = { id: 1, type: 'contains_product', configuration: { variant: numbers(500) } };
      repeat(file, 'promotions', 100, {
        ...promotion,
        exclusive: false,
        coupon_based: false,
        rules: [{ ...rule, configuration: { ...rule.configuration, exclude: true } }],
      });
    },
    'zones of zones': (file) => {
      const zone = { name: 'a', type: 'zone', members: numbers(200) };
      repeat(file, 'zones', 200, zone);
    },
    'zones of many': (file) => {
      const zone = {
        name: 'a',
        type: 'country',
        members: Array.from({ length: 4900 }, () => 21),
      };
      repeat(file, 'zones', 1, zone);
    },
    'many shipping methods': (file) => {
      const [method] = file.tables['shipping_methods']!.rows;
      repeat(file, 'shipping_methods', 1000, { ...method });
    },
    'many stock locations': (file) => {
      const [location] = file.tables['stock_locations']!.rows;
      repeat(file, 'stock_locations', 1000, (at) => ({ ...location, code: `L${at}` }));
    },
    'channels of many': (file) => {
      for (const channel of file.tables['channels']!.rows) {
        channel['currencies'] = Array.from({ length: 2400 }, () => 1);
        channel['locales'] = Array.from({ length: 2400 }, () => 1);
      }
    },
    'a product of many options': (file) => {
      const option = { id: 1, name: 'a', presentation: 'b' };
      file.tables['products']!.rows[0]!['options'] = Array.from({ length: 1200 }, () => option);
    },
    'many faults': (file) => {
      const rule = { match: { path: '/api/*' }, delay: 0, matched: 0 };
      repeat(file, 'fault_rules', 1000, rule);
    },
    'faults of many parameters': (file) => {
      const rule = { match: { parameters: parameters('shipments', 90) }, delay: 0, matched: 0 };
      repeat(file, 'fault_rules', 150, rule);
    },
    'many scripts': (file) => {
      repeat(file, 'script_rules', 1000, { on: 'payment', match: {}, delay: 0, matched: 0 });
    },
    'many carts': (file) => {
      const [order] = file.tables['orders']!.rows;
      const cart = { ...order, number: undefined, completed_at: undefined };
      repeat(file, 'orders', 800, { ...cart, state: 'cart', checkout_state: 'cart' });
    },
    'large settings': (file) => {
      file['settings'] = { ...(file['settings'] as object), journalSize: 100_000, maxLimit: 1e9 };
    },
  };
  const next: Record<string, Sent> = {
    'step 3': put('/api/checkouts/109', { paymentMethod: 1 }),
    'step 1': put('/api/checkouts/107', { shippingAddress: address }),
    item: post('/api/orders/109/items/', { variant: 7, unitPrice: 100, quantity: 1 }),
    proposal: { method: 'GET', url: '/api/checkouts/112' },
    orders: { method: 'GET', url: '/api/orders/?limit=1000' },
    order: { method: 'GET', url: '/api/orders/109' },
    body: {
      ...put('/api/checkouts/120', {}),
      body: `{"shipments":{${filled(room.body - 100, (at) => `"a${at}":0`)}}}`,
    },
    'a leap': put('/_backlot/clock', { advance: 'P1Y' }),
    export: { method: 'GET', url: '/_backlot/export' },
    reset: { method: 'POST', url: '/_backlot/reset' },
  };
  return Object.entries(shops).flatMap(([shop, change]) => {
    const make = async (send: Send): Promise<Sent> => {
      await send({ method: 'POST', url: '/_backlot/reset' });
      const { body = '' } = await send({ method: 'GET', url: '/_backlot/export' });
      const file = JSON.parse(body) as File;
      change(file);
      const text = JSON.stringify(file);
      return importOf(text);
    };
    return [
      { name: `import, ${shop}`, request: make },
      ...Object.entries(next).map(([what, request]) => ({
        name: `import, ${shop}, then ${what}`,
        prepare: async (send: Send) => {
          const { status, body } = await send(await make(send));
          if (status !== 200) console.error(`${shop}: ${status} ${body?.slice(0, 300)}`);
        },
        request,
      })),
    ];
  });
}

function repeat(file: File, table: string, count: number, row: Row | ((at: number) => Row)): void {
  const content = file.tables[table]!;
  for (let at = 0; at < count; at++) {
    content.rows.push({ ...(typeof row === 'function' ? row(at) : row), id: content.next_id });
    content.next_id += 1;
  }
  // There can be only so many records in all.
  for (const spare of ['adjustments', 'inventory_units', 'stock_items']) {
    if (spare !== table) file.tables[spare]!.rows = [];
  }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

function parameters(name: string, count: number): Record<string, string> {
  return Object.fromEntries(numbers(count).map((at) => [`${name}.a${at}`, '0']));
}

function importOf(body: string): Sent {
  return { method: 'POST', url: '/_backlot/import', body, type };
}

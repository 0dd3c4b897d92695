// Follows every link of the API with a HAL client, breadth first, each once.
import { Client } from 'ketting';

const client = new Client(process.env.BACKLOT_URL);
const seen = new Set(
  ['orders', 'users', 'products', 'channels', 'payments', 'shipments', 'promotions', 'countries']
    .concat(['zones', 'stock-locations', 'shipping-methods', 'payment-methods'])
    .map((name) => `${process.env.BACKLOT_URL}/api/${name}/?limit=20`),
);
const broken = [];
const accept = { accept: 'application/hal+json, application/json' };

for (const uri of seen) {
  if (seen.size > 2000) break;
  try {
    const state = await client.go(uri).get({ headers: accept });
    for (const link of state.links.getAll()) seen.add(new URL(link.href, uri).href);
    for (const href of hrefsIn(state.data)) seen.add(new URL(href, uri).href);
  } catch (error) {
    broken.push(`${uri}: ${error.message}`);
  }
}
console.log(`note: ${seen.size} links followed`);
if (broken.length > 0) {
  console.error(broken.join('\n'));
  process.exit(1);
}

/** Returns the links of records inside of records. */
function hrefsIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'href' ? [inner] : hrefsIn(inner),
  );
}

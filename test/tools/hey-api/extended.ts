import { client } from './src/extended/client.gen.js';
import { createGadget, getOrder, listGadgets, setUpOrder } from './src/extended/index.js';

client.setConfig({ baseUrl: process.env.EXTENDED_URL ?? '' });
const { data: page } = await listGadgets({ query: { 'criteria[flag]': true } });
const [gadget] = page?._embedded.items ?? [];
if (gadget === undefined) throw new Error('no gadget');
const { id, computed, colour, created_at, updated_at, _links, anything, ...fields } = gadget;
const text = 'Another lamp';
const made = await createGadget({ body: { ...fields, text, oneOf: colour } });
if (made.data?.ref !== gadget.ref) throw new Error('no second gadget');
const order = await setUpOrder({ body: { user: gadget.ref } });
const { data } = await getOrder({ path: { order_id: order.data?.id ?? '' } });
if (data?.user?.id !== gadget.ref) throw new Error('no order');

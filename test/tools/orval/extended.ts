import { createGadget, getOrder, listGadgets, setUpOrder } from './src/extended/backlot.js';

const page = await listGadgets({ 'criteria[flag]': true });
const [gadget] = page.status === 200 ? page.data._embedded.items : [];
if (gadget === undefined) throw new Error('no gadget');
const { id, computed, colour, created_at, updated_at, _links, anything, ...fields } = gadget;
const lists = { texts: [...fields.texts], refs: [...fields.refs] };
const made = await createGadget({ ...fields, ...lists, text: 'Another lamp', oneOf: colour });
if (made.status !== 201 || made.data.ref !== gadget.ref) throw new Error('no second gadget');
const order = await setUpOrder({ user: gadget.ref });
const shown = await getOrder(order.status === 201 ? order.data.id : '');
if (shown.status !== 200 || shown.data.user?.id !== gadget.ref) throw new Error('no order');

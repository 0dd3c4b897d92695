import SwaggerClient from 'swagger-client';
const { apis, errors } = await SwaggerClient({
  url: `${process.env.EXTENDED_URL}/_backlot/openapi.json`,
});
const { body: page } = await apis.gadgets.listGadgets({ 'criteria[flag]': true });
const [{ id, ref }] = page._embedded.items;
const cart = await apis.gadgets.addGadgetCart({ id }, { requestBody: { currency: 'EUR' } });
const given = await apis.control.setUpOrder({}, { requestBody: { user: ref } });
const shown = await apis.orders.getOrder({ order_id: given.body.id });
for (const { body } of [cart, given, shown]) if (body.user.id !== ref) throw new Error('no order');
if (errors.length > 0) throw new Error(JSON.stringify(errors));

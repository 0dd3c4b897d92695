import { mutant, on, type Answer, type Body } from './mutator.ts';

const orderViews = ['Order', 'OrderInCheckout'];

function eachOrder(answer: Answer, change: (order: Body) => void): void {
  for (const view of orderViews) for (const order of answer.of(view)) change(order);
}

const checkout = /^PUT \/api\/checkouts\//;

export const totals = [
  mutant('total: an item is a cent more', ({ of }) => {
    for (const item of of('OrderItem')) item.total += 1;
  }),
  mutant('total: an order is a cent less', (answer) =>
    eachOrder(answer, (order) => void (order.total -= 1)),
  ),
  mutant('total: included taxes are added', (answer) =>
    eachOrder(answer, (order) => {
      const neutral = order.adjustments.filter((one: Body) => one.neutral);
      for (const { amount } of neutral) order.adjustments_total += amount;
    }),
  ),
  mutant('total: taxes are rounded down', (answer) =>
    eachOrder(answer, (order) => {
      for (const one of order.adjustments) {
        if (one.label !== 'tax' || one.amount === 0) continue;
        one.amount -= 1;
        if (one.neutral) continue;
        order.adjustments_total -= 1;
        order.total -= 1;
        for (const payment of order.payments) payment.amount -= 1;
      }
    }),
  ),
  mutant('total: amounts are in major units', (answer) =>
    eachOrder(answer, (order) => void (order.total /= 100)),
  ),
  mutant('total: unit prices are in cents of cents', ({ of }) => {
    for (const item of of('OrderItem')) item.unit_price *= 100;
  }),
  mutant('total: a new payment is a cent less', (answer) =>
    eachOrder(answer, (order) => {
      for (const payment of order.payments) if (payment.state === 'new') payment.amount -= 1;
    }),
  ),
  mutant('total: the last item does not count', (answer) =>
    eachOrder(answer, (order) => {
      const { total = 0 } = order.items.at(-1) ?? {};
      order.items_total -= total;
      order.total = Math.max(0, order.items_total + order.adjustments_total);
    }),
  ),
  mutant('total: one unit less', ({ of }) => {
    for (const item of of('OrderItem')) item.inventory_units.pop();
  }),
  mutant('total: pages are rounded down', ({ of }) => {
    for (const page of of('Page')) page.pages = Math.max(1, Math.floor(page.total / page.limit));
  }),
];

export const transitions = [
  on('transition: confirm pays', checkout, 200, ({ body }) => {
    if (body.state === 'pending') body.state = 'confirmed';
  }),
  on('transition: a purchase leaves the order pending', checkout, 200, ({ body }) => {
    if (body.state === 'confirmed')
      Object.assign(body, { state: 'pending', checkout_state: 'finalize' });
  }),
  mutant('transition: a declined payment is cancelled', ({ of }) => {
    for (const payment of of('Payment'))
      if (payment.state === 'failed') payment.state = 'cancelled';
  }),
  on('transition: shipments of a paid order wait', checkout, 200, ({ body }) => {
    for (const one of body.shipments ?? [])
      if (one.state === 'ready' || one.state === 'backordered') one.state = 'onhold';
  }),
  on('transition: units are sold at once', /^POST .*\/items\/$/, 201, ({ body }) => {
    for (const unit of body.inventory_units) unit.inventory_state = 'sold';
  }),
  on('transition: steps in any order', checkout, 400, (answer) => {
    if (!/awaits/.test(answer.body.message)) return;
    answer.status = 200;
    answer.body = {};
  }),
  on('transition: an empty order can be addressed', checkout, 400, (answer) => {
    if (/empty/.test(answer.body.message)) Object.assign(answer, { status: 204, body: undefined });
  }),
  on('transition: deleted records stay', /^GET \/api\/channels\/\d+$/, 404, (answer) => {
    answer.status = 200;
    answer.body = {};
  }),
  on('transition: addressing skips shipping', checkout, 200, ({ body }) => {
    if (body.checkout_state === 'addressing') body.checkout_state = 'shipping';
  }),
  on('transition: a changed user is not changed', /^GET \/api\/users\/\d+$/, 200, ({ body }) => {
    body.enabled = false;
  }),
];

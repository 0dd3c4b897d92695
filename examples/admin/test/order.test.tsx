import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { test } from 'backlot/vitest';
import { afterEach, expect } from 'vitest';
import { OrderPage } from '../src/order.tsx';

const user = userEvent.setup();

afterEach(cleanup);

test('a chosen payment leads to the confirmation', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'payment' });
  render(<OrderPage id={id} />);
  await user.click(await screen.findByRole('button', { name: 'Choose a payment' }));
  await screen.findByRole('button', { name: 'Confirm the order' });
  screen.getByText('cart · €17.40 · payment new');
  screen.getByText('1 × Enamel Camp Mug 350 ml €12.90');
  expect(office.db.orders.get(id)?.checkout_state).toBe('payment');
});

test('a wrong address shows the message of each field', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'addressing' });
  render(<OrderPage id={id} />);
  await user.type(await screen.findByLabelText('First name'), 'A');
  await user.click(screen.getByRole('button', { name: 'Send to this address' }));
  await screen.findByText('First name must be at least 2 characters long.');
  for (const text of ['enter last name', 'enter street', 'enter city', 'select country'])
    screen.getByText(`Please ${text}.`);
  expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { times: 1, status: 400 });
});

test('a declined card says so', async ({ office }) => {
  office.given.theScript({ on: 'purchase', outcome: 'declined' });
  const { id } = office.given.anOrder({ awaits: 'purchase' });
  render(<OrderPage id={id} />);
  await user.type(await screen.findByLabelText('Name on the card'), 'Ada Novak');
  await user.type(screen.getByLabelText('Security code'), '123');
  await user.click(screen.getByRole('button', { name: 'Pay by card' }));
  await screen.findByText('The card was declined.');
});

test('an outage shows its message', async ({ office }) => {
  office.faults.add({ match: { path: '/api/orders/*' }, status: 503 });
  render(<OrderPage id={1} />);
  await screen.findByText('Service Unavailable');
});

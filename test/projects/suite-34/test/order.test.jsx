import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { test } from 'backlot/vitest';
import { afterEach, describe, expect } from 'vitest';
import { Order } from '../src/order.jsx';

const user = userEvent.setup();

afterEach(cleanup);

describe('an order', () => {
  test('shows its state and its total', async ({ office }) => {
    const { id } = office.given.anOrder({ awaits: 'payment' });
    render(<Order id={id} />);
    await screen.findByRole('heading');
    expect(screen.getByText(/^State/).textContent).toBe('State: cart');
    expect(screen.getByText(/^Step/).textContent).toBe('Step: shipping');
    expect(screen.getByText(/^Total/).textContent).toBe('Total: €17.40');
  });

  test('shows what was bought', async ({ office }) => {
    const { id } = office.given.anOrder({ awaits: 'payment' });
    render(<Order id={id} />);
    await screen.findByRole('list');
    expect(screen.getByText(/Mug/).textContent).toBe('Enamel Camp Mug 350 ml');
    expect(document.querySelector('i').textContent).toBe('CK-MUG');
    expect(screen.getByText(/pieces$/).textContent).toBe('1 pieces');
    expect(screen.getByText(/each$/).textContent).toBe('€12.90 each');
  });

  test('shows who bought it, and when', async () => {
    render(<Order id={105} />);
    await screen.findByRole('heading');
    expect(screen.getByText(/^For /).textContent).toBe('For callum.macleod77@example.com');
    expect(screen.getByText(/^Since /).textContent).toBe('Since 02/03/2026');
    expect(screen.getByRole('heading').textContent).toBe('Order 000000094');
  });

  test('has the state of its payment', async () => {
    render(<Order id={105} />);
    await screen.findByRole('heading');
    expect(screen.getByText(/^Payment/).textContent).toMatch(/^Payment: completed$/);
  });

  test('leads from a payment to its confirmation', async ({ office }) => {
    const { id } = office.given.anOrder({ awaits: 'payment' });
    render(<Order id={id} />);
    await user.click(await screen.findByRole('button', { name: 'Choose a payment' }));
    await screen.findByRole('button', { name: 'Confirm' });
    expect(screen.getByText(/^Payment/).textContent).toBe('Payment: new');
    expect(screen.getByText(/^State/).textContent).toBe('State: cart');
  });

  test('shows the messages of a wrong address', async ({ office }) => {
    const { id } = office.given.anOrder({ awaits: 'addressing' });
    render(<Order id={id} />);
    await user.type(await screen.findByLabelText('First name'), 'A');
    await user.click(screen.getByRole('button'));
    await waitFor(() => expect(screen.getAllByRole('alert').length).toBeGreaterThan(4));
    expect(document.body.textContent).toContain('First name must be at least 2 characters long.');
    expect(document.body.textContent).toContain('Please enter last name.');
    expect(document.body.textContent).toContain('Please enter city.');
  });

  test('that is not there says so', async () => {
    render(<Order id={9999} />);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(
      'Requested order does not exist with these criteria: {"id":"9999"}.',
    );
  });

  test('says that the store is down', async ({ office }) => {
    office.faults.add({ match: { path: '/api/orders/*' }, status: 503 });
    render(<Order id={1} />);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe('Service Unavailable');
  });
});

interface Order {
  readonly id: number;
  readonly total: number;
  readonly state: string;
  readonly checkout_state: string;
  readonly items: readonly { readonly quantity: number; readonly total: number }[];
}

/**
 * A page without a framework: an order, and a button that chooses its payment.
 *
 * @param isCareful whether it tells its user what went wrong, and reads the order again after a failed write
 */
export async function showOrder(id: number, isCareful: boolean): Promise<void> {
  document.body.innerHTML = '<p>Loading …</p>';
  try {
    show(await read(id));
  } catch (error) {
    if (!isCareful) throw error;
    document.body.innerHTML = '<p role="alert">The order cannot be shown now.</p>';
    return;
  }
  document.querySelector('button')?.addEventListener('click', () => void pay(id, isCareful));
}

async function read(id: number): Promise<Order> {
  const response = await fetch(`http://localhost/api/orders/${id}`);
  if (!response.ok) throw new Error(`Status ${response.status}`);
  return (await response.json()) as Order;
}

function show({ total, state, checkout_state: step, items }: Order): void {
  document.body.innerHTML = `<h1>€${total / 100}</h1><p id="state">${state}</p><p id="step">${step}</p>
<ul>${items.map((item) => `<li>${item.quantity} × €${item.total / 100}</li>`).join('')}</ul><button>Pay</button>`;
}

async function pay(id: number, isCareful: boolean): Promise<void> {
  const button = document.querySelector('button')!;
  button.disabled = isCareful;
  try {
    const response = await fetch(`http://localhost/api/checkouts/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ paymentMethod: 1 }),
    });
    if (!response.ok) throw new Error(`Status ${response.status}`);
    show(await read(id));
  } catch (error) {
    if (!isCareful) throw error;
    const order = await read(id).catch(() => undefined);
    if (order !== undefined) show(order);
    const alert = '<p role="alert">The payment may not have been chosen.</p>';
    document.body.insertAdjacentHTML('beforeend', alert);
  }
}

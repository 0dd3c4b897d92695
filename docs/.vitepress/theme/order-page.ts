/** What the page handles. */
export interface Care {
  readonly tellsErrors: boolean;
  readonly showsWaiting: boolean;
}

interface Order {
  readonly total: number;
  readonly currency: string;
  readonly checkout_state: string;
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** The page that the grid tries: an order, and a button. It knows nothing but fetch. */
export const openPage = (
  root: HTMLElement,
  fetch: Fetch,
  { tellsErrors, showsWaiting }: Care,
): void => {
  const url = '/api/checkouts/1';
  const headers = { 'content-type': 'application/json' };
  const shippingAddress = {
    firstName: 'Orla',
    lastName: 'Kavanagh',
    street: 'Quay Street 4',
    city: 'Galway',
    postcode: 'H91 X2Y3',
    country: 1,
  };

  const call: (path: string, init?: RequestInit) => Promise<Order> = async (path, init) => {
    const response = await fetch(path, init);
    const body = await response.json();
    if (!response.ok) throw new Error(body.message);
    return body;
  };

  const show = ({ total, currency, checkout_state: step }: Order): void => {
    root.innerHTML = `<p>${(total / 100).toFixed(2)} ${currency}</p><p>${step}</p><button>Send the address</button>`;
    root.querySelector('button')!.onclick = () => void send();
  };

  const tell = (error: unknown, text: string): void => {
    if (!tellsErrors) throw error;
    root.insertAdjacentHTML('beforeend', `<p role="alert">${text}</p>`);
  };

  const send = async (): Promise<void> => {
    root.querySelector('button')!.disabled = showsWaiting;
    try {
      const body = JSON.stringify({ shippingAddress });
      show(await call(url, { method: 'PUT', headers, body }));
    } catch (error) {
      tell(error, 'The address may not have arrived.');
    }
  };

  const read = async (): Promise<void> => {
    root.innerHTML = showsWaiting ? '<p>Loading …</p>' : '';
    try {
      show(await call('/api/orders/1'));
    } catch (error) {
      tell(error, 'The order cannot be shown.');
    }
  };

  void read();
};

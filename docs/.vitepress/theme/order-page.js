/** The page that the grid tries: an order, and a button. It knows nothing but fetch. */
export const openPage = (root, fetch, { tellsErrors, showsWaiting }) => {
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

  const call = async (path, init) => {
    const response = await fetch(path, init);
    const body = await response.json();
    if (!response.ok) throw new Error(body.message);
    return body;
  };

  const show = ({ total, currency, checkout_state: step }) => {
    root.innerHTML = `<p>${(total / 100).toFixed(2)} ${currency}</p><p>${step}</p><button>Send the address</button>`;
    root.querySelector('button').onclick = send;
  };

  const tell = (error, text) => {
    if (!tellsErrors) throw error;
    root.insertAdjacentHTML('beforeend', `<p role="alert">${text}</p>`);
  };

  const send = async () => {
    root.querySelector('button').disabled = showsWaiting;
    try {
      const body = JSON.stringify({ shippingAddress });
      show(await call(url, { method: 'PUT', headers, body }));
    } catch (error) {
      tell(error, 'The address may not have arrived.');
    }
  };

  const read = async () => {
    root.innerHTML = showsWaiting ? '<p>Loading …</p>' : '';
    try {
      show(await call('/api/orders/1'));
    } catch (error) {
      tell(error, 'The order cannot be shown.');
    }
  };

  void read();
};

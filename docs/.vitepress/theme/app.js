/** The shop on the left: an app that knows nothing but fetch and a URL. */
export const createApp = (fetch) => {
  const headers = { 'content-type': 'application/json' };

  const address = {
    firstName: 'Orla',
    lastName: 'Kavanagh',
    street: 'Quay Street 4',
    city: 'Galway',
    postcode: 'H91 X2Y3',
    country: 1,
  };

  const card = {
    type: 'visa',
    cardholderName: 'Orla Kavanagh',
    number: '4111111111111111',
    securityCode: '123',
    expiryMonth: 12,
    expiryYear: 2030,
  };

  /** What each step of the checkout sends, by the state that it begins in. */
  const steps = {
    cart: () => ({ shippingAddress: address }),
    addressing: async (url) => {
      const [{ methods }] = await (await fetch(url)).json();
      return { shipments: [{ method: methods[0].id }] };
    },
    shipping: () => ({ paymentMethod: 1 }),
    payment: () => ({}),
    finalize: () => card,
  };

  return {
    async readOrder(id) {
      const response = await fetch(`/api/orders/${id}`);
      return response.json();
    },

    /** Takes the steps that are left. @returns what went wrong */
    async pay(order) {
      const url = `/api/checkouts/${order.id}`;
      for (const step of Object.keys(steps).slice(
        Object.keys(steps).indexOf(order.checkout_state),
      )) {
        const body = JSON.stringify(await steps[step](url));
        const response = await fetch(url, { method: 'PUT', headers, body });
        order = await response.json();
        if (!response.ok) return firstIssue(order);
      }
      const { state } = order.payments.at(-1);
      return state === 'failed' ? 'Card declined. Try another.' : '';
    },
  };
};

function firstIssue({ message, errors }) {
  return JSON.stringify(errors ?? {}).match(/"errors":\["(.*?)"/)?.[1] ?? message;
}

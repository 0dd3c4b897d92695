// A shop of three parts: the browser fetches an order for `/<id>`, this server renders it for `/server/<id>`, and `/search`
// searches products for each value of its field.
import { createServer } from 'node:http';
import { forwardSession } from 'backlot/session';

const { BACKLOT_URL: api, CAREFUL: careful = 'no', PORT: port } = process.env;

const browserPart = (id) => `<!doctype html>
<title>Order</title>
<body><p>Loading …</p></body>
<script type="module">
  const isCareful = ${careful === 'yes'};
  const call = async (path, init) => {
    const response = await fetch('${api}' + path, init);
    if (!response.ok) throw new Error('Status ' + response.status);
    return response.json();
  };
  const show = ({ total, state, checkout_state: step, items }) => {
    document.body.innerHTML =
      '<h1>€' + total / 100 + '</h1><p id="state">' + state + '</p><p id="step">' + step + '</p><ul>' +
      items.map((item) => '<li>' + item.quantity + ' × €' + item.total / 100 + '</li>').join('') +
      '</ul><button>Pay</button>';
  };
  const say = (text) =>
    document.body.insertAdjacentHTML('beforeend', '<p role="alert">' + text + '</p>');
  const read = () => call('/api/orders/${id}');
  const pay = async () => {
    document.querySelector('button').disabled = isCareful;
    try {
      await call('/api/checkouts/${id}', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ paymentMethod: 1 }),
      });
      show(await read());
    } catch (error) {
      if (!isCareful) throw error;
      await read().then(show, () => undefined);
      say('The payment may not have been chosen.');
    }
  };
  try {
    show(await read());
    document.querySelector('button').addEventListener('click', pay);
  } catch (error) {
    if (!isCareful) throw error;
    say('The order cannot be shown now.');
  }
</script>`;

const searchPart = `<!doctype html>
<title>Products</title>
<body><input type="search" aria-label="Search"><p>Search</p></body>
<script type="module">
  const isCareful = ${careful === 'yes'};
  const field = document.querySelector('input');
  field.addEventListener('input', async () => {
    const { value } = field;
    const query = new URLSearchParams({ 'criteria[name]': value });
    const response = await fetch('${api}/api/products/?' + query);
    const { total } = await response.json();
    if (!isCareful || field.value === value)
      document.querySelector('p').textContent = total + ' found';
  });
</script>`;

async function serverPart(id, request) {
  const response = await fetch(`${api}/api/orders/${id}`, { headers: forwardSession(request) });
  const { total, state } = await response.json();
  return `<!doctype html><title>Order</title><h1>€${total / 100}</h1><p>${state}</p>`;
}

createServer(async (request, response) => {
  const [, first, second] = request.url.split('/');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  try {
    if (first === 'health') response.end('ok');
    else if (first === 'search') response.end(searchPart);
    else response.end(first === 'server' ? await serverPart(second, request) : browserPart(first));
  } catch (error) {
    response.writeHead(502).end(careful === 'yes' ? '<p>The order cannot be shown now.</p>' : '');
  }
}).listen(port, '127.0.0.1');

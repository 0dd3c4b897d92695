// A shop of two parts: `/` fetches in the browser, `/server` on the server.
import { createServer } from 'node:http';
import { forwardSession } from 'backlot/session';

const api = process.env.BACKLOT_URL;

const browserPart = `<!doctype html>
<title>Products</title>
<button>Buy</button>
<p role="status">Loading</p>
<ul></ul>
<script type="module">
  const [button, status, list] = ['button', 'p', 'ul'].map((name) => document.querySelector(name));
  const call = async (path, init) => {
    const response = await fetch('${api}' + path, init);
    if (!response.ok) throw new Error('status ' + response.status);
    return response.json();
  };
  const show = (work) => work.then(
    (text) => (status.textContent = text),
    (error) => (status.textContent = 'Failed: ' + error.message),
  );
  show(call('/api/products/?limit=1000&sorting[id]=desc').then(({ _embedded: { items } }) => {
    list.replaceChildren(...items.map(({ id, name }) =>
      Object.assign(document.createElement('li'), { id: 'product-' + id, textContent: name })));
    return items.length + ' products';
  }));
  button.addEventListener('click', () => show(call('/api/orders/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 1, user: 3, currency: 'EUR' }),
  }).then(({ id }) => 'Order ' + id)));
</script>`;

async function serverPart(request) {
  const headers = forwardSession(request);
  const call = async (path) => {
    const response = await fetch(`${api}${path}`, { headers });
    const body = await response.json();
    if (!response.ok) throw new Error(body.message);
    return body;
  };
  const { _embedded: products } = await call('/api/products/?limit=1000');
  const { total } = await call('/api/orders/?limit=1');
  const items = products.items.map(({ id, name }) => `<li id="product-${id}">${name}</li>`);
  return `<!doctype html><title>Products</title><p role="status">${items.length} products, ${total} orders</p><ul>${items.join('')}</ul>`;
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://shop.test');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  try {
    if (pathname === '/health') response.end('ok');
    else response.end(pathname === '/server' ? await serverPart(request) : browserPart);
  } catch (error) {
    response.writeHead(502).end(error.message);
  }
});
server.keepAliveTimeout = 60_000;
server.listen(4518, '127.0.0.1');

const shop = 'http://localhost/api';
const todos = 'https://todos.test/lists/7/todos';

async function send(url, method = 'GET', body = undefined) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`Status ${response.status}`);
  return response.json();
}

/** An order, and a button that chooses its payment. The user is told nothing of failures. */
export async function showOrder(id) {
  document.body.innerHTML = '<p>Loading …</p>';
  showOrderOf(await send(`${shop}/orders/${id}`));
  document.querySelector('button').addEventListener('click', async () => {
    await send(`${shop}/checkouts/${id}`, 'PUT', { paymentMethod: 1 });
    showOrderOf(await send(`${shop}/orders/${id}`));
  });
}

function showOrderOf({ total, state, checkout_state: step }) {
  document.body.innerHTML = `<h1>€${total / 100}</h1><p>${state}</p><p id="step">${step}</p><button>Pay</button>`;
}

/** A list of todos, and a button that adds one. The user is told that a todo may not have been added. */
export async function showTodos() {
  document.body.innerHTML = '<p>Loading …</p>';
  showTodosOf(await send(todos));
  document.querySelector('button').addEventListener('click', async (event) => {
    event.target.disabled = true;
    try {
      await send(todos, 'POST', { title: 'Rest' });
      showTodosOf(await send(todos));
    } catch {
      document.body.insertAdjacentHTML('beforeend', '<p role="alert">Was it added?</p>');
    }
  });
}

function showTodosOf(list) {
  const items = list.map(({ title, priority }) => `<li><b>${title}</b> <i>${priority}</i></li>`);
  document.body.innerHTML = `<ul>${items.join('')}</ul><button>Add</button>`;
}

/** A line without a page. */
export async function lineOf(url) {
  const { title, done } = await send(url);
  return done ? `${title}!` : title;
}

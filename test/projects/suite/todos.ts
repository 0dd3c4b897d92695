import axios from 'axios';

interface Todo {
  readonly id: number;
  readonly title: string;
  readonly priority: string;
}

const url = `${location.origin}/api/lists/7/todos`;

/** What sends the requests of the page. */
interface Client {
  list(): Promise<readonly Todo[]>;
  add(title: string): Promise<unknown>;
}

export const clients: Record<'fetch' | 'axios', Client> = {
  fetch: {
    list: async () => accepted(await fetch(url)).json(),
    add: async (title) =>
      accepted(await fetch(url, { method: 'POST', body: JSON.stringify({ title }) })),
  },
  axios: {
    list: async () => {
      const { data } = await axios.get<readonly Todo[]>(url, {
        responseType: 'json',
        transitional: { silentJSONParsing: false },
      });
      return data;
    },
    add: (title) => axios.post(url, { title }),
  },
};

function accepted(response: Response): Response {
  if (!response.ok) throw new Error(`Status ${response.status}`);
  return response;
}

/**
 * A page without a framework: a list of todos, and a button that adds one.
 *
 * @param isCareful whether it tells its user what went wrong
 */
export async function showTodos(client: Client, isCareful: boolean): Promise<void> {
  document.body.innerHTML = '<p>Loading …</p>';
  try {
    show(await client.list());
  } catch (error) {
    document.body.innerHTML = isCareful ? '<p role="alert">Try again later.</p>' : '';
    if (!isCareful) throw error;
    return;
  }
  document.querySelector('button')!.addEventListener('click', () => void add(client, isCareful));
}

function show(todos: readonly Todo[]): void {
  const items = todos.map(({ title, priority }) => `<li><b>${title}</b> <i>${priority}</i></li>`);
  document.body.innerHTML = `<ul>${items.join('')}</ul><button>Add</button>`;
}

async function add(client: Client, isCareful: boolean): Promise<void> {
  const button = document.querySelector('button')!;
  button.disabled = isCareful;
  try {
    await client.add('Rest');
    show(await client.list());
  } catch {
    const alert = '<p role="alert">Nobody knows whether it was added.</p>';
    if (isCareful) document.body.insertAdjacentHTML('beforeend', alert);
  }
}

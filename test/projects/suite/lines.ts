import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import axios from 'axios';
import { request } from 'undici';

interface Todo {
  readonly title: string;
  readonly done: boolean;
}

/** Reads two fields; the tests assert one of them. */
function lineOf({ title, done }: Todo): string {
  return done ? `${title}!` : title;
}

/** The same by each client of Node.js. */
export const lines: Readonly<Record<string, (url: string) => Promise<string>>> = {
  axios: async (url) => lineOf((await axios.get<Todo>(url)).data),
  http: (url) =>
    new Promise((resolve, reject) => {
      get(url, (response) => {
        void text(response).then((body) => resolve(lineOf(JSON.parse(body) as Todo)), reject);
      });
    }),
  undici: async (url) => lineOf((await (await request(url)).body.json()) as Todo),
};

/** A client as generators write it. */
export class TodoClient {
  readonly #fetch: typeof fetch;

  constructor({ fetch }: { readonly fetch: typeof globalThis.fetch }) {
    this.#fetch = fetch;
  }

  async line(): Promise<string> {
    const response = await this.#fetch('https://todos.test/todos/7');
    return lineOf((await response.json()) as Todo);
  }
}

interface Results {
  readonly data: { readonly todo: Todo; readonly list: { readonly name: string } | null };
}

async function query(body: unknown): Promise<unknown> {
  const response = await fetch('https://todos.test/graphql', {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Shows less if a part of the data is missing. */
export async function lineByGraphQl(): Promise<string> {
  const { data } = (await query({
    query: 'query GetTodo($id: ID!) { list { name } todo(id: $id) { title done } }',
    variables: { id: 7 },
  })) as Results;
  return data.list === null ? lineOf(data.todo) : `${data.list.name}: ${lineOf(data.todo)}`;
}

export async function lineOfBatch(): Promise<string> {
  const batch = ['query First { todo { title done } }', 'query Second { todo { title done } }'];
  const results = (await query(batch.map((one) => ({ query: one })))) as Results[];
  return results.map(({ data }) => lineOf(data.todo)).join();
}

const known = new Map<string, string>();

/** Requests each URL once. */
export async function knownLine(url: string): Promise<string> {
  const line = known.get(url) ?? lineOf((await (await fetch(url)).json()) as Todo);
  known.set(url, line);
  return line;
}

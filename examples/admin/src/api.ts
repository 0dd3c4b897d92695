import { pathOf, type AnswerOf, type Call } from 'backlot/client';

export type Order = AnswerOf<'GET /api/orders/:order_id'>;

/** An error response: a message, and those of single fields by their path: `shippingAddress.city`. */
export class ApiError extends Error {
  status = 0;
  fields: Readonly<Record<string, string>> = {};
}

/** Calls an endpoint by its name. @throws ApiError */
export const call: Call = async (name, { path, query, body }) => {
  const token = sessionStorage.getItem('token');
  return send(pathOf(name, path, query), {
    method: name.split(' ')[0]!,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
};

/** Stores the token that all later calls send. @throws ApiError */
export async function signIn(username: string, password: string): Promise<void> {
  const client = { client_id: 'demo_client', client_secret: 'secret_demo_client' };
  const body = new URLSearchParams({ ...client, grant_type: 'password', username, password });
  const { access_token: token } = await send('/oauth/v2/token', { method: 'POST', body });
  sessionStorage.setItem('token', token);
}

async function send(path: string, init: RequestInit) {
  const response = await fetch(new URL(path, location.origin), init).catch(() => undefined);
  if (response === undefined) throw new ApiError('The server cannot be reached. Try again.');
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer;
  const { message, error_description: reason, errors } = answer ?? {};
  const error = new ApiError(message ?? reason ?? 'The response of the server cannot be read.');
  throw Object.assign(error, { status: response.status, fields: fieldsOf(errors) });
}

interface ErrorTree {
  readonly errors?: readonly string[];
  readonly children?: Readonly<Record<string, ErrorTree>>;
}

function fieldsOf(tree: ErrorTree = {}, path = ''): Record<string, string> {
  const own = tree.errors?.length ? { [path]: tree.errors.join(' ') } : {};
  const below = Object.entries(tree.children ?? {}).map(([name, child]) =>
    fieldsOf(child, path === '' ? name : `${path}.${name}`),
  );
  return Object.assign(own, ...below);
}

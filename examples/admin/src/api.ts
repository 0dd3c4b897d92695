import {
  pathOf,
  type AnswerOf,
  type BodyOf,
  type EndpointName,
  type PathOf,
  type QueryOf,
} from 'backlot/client';

export type Order = AnswerOf<'GET /api/orders/:order_id'>;

/** An error response: a message, and those of single fields by their path: `shippingAddress.city`. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

interface Sent<Name extends EndpointName> {
  readonly path?: PathOf<Name>;
  readonly query?: QueryOf<Name>;
  readonly body?: BodyOf<Name>;
}

/** Calls an endpoint by its name. @throws ApiError */
export async function call<Name extends EndpointName>(
  name: Name,
  { path = {} as PathOf<Name>, query, body }: Sent<Name> = {},
): Promise<AnswerOf<Name>> {
  const token = sessionStorage.getItem('token');
  const response = await fetch(new URL(pathOf(name, path, query), location.origin), {
    method: name.split(' ')[0],
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new ApiError(
      response.status,
      answer.message ?? answer.error_description,
      fieldsOf(answer.errors),
    );
  return answer;
}

/** Stores the token that all later calls send. @throws ApiError */
export async function signIn(username: string, password: string): Promise<void> {
  const client = { client_id: 'demo_client', client_secret: 'secret_demo_client' };
  const answer = await fetch(new URL('/oauth/v2/token', location.origin), {
    method: 'POST',
    body: new URLSearchParams({ ...client, grant_type: 'password', username, password }),
  });
  const body = await answer.json();
  if (!answer.ok) throw new ApiError(answer.status, body.error_description);
  sessionStorage.setItem('token', body.access_token);
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

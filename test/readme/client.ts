import {
  pathOf,
  type AnswerOf,
  type BodyOf,
  type EndpointName,
  type PathOf,
  type QueryOf,
} from 'backlot/client';

/** What an endpoint is called with: the parameters of its path, and those of its query and body, if it has any. */
interface Sent<Name extends EndpointName> {
  readonly path: PathOf<Name>;
  readonly query?: QueryOf<Name>;
  readonly body?: BodyOf<Name>;
}

/**
 * Calls an endpoint by its name: path, query, body and answer have the types of the contract.
 *
 * @throws Error with the status and the body of an error response
 */
export async function call<Name extends EndpointName>(
  shop: string,
  name: Name,
  { path, query, body }: Sent<Name>,
): Promise<AnswerOf<Name>> {
  const [method = 'GET'] = name.split(' ');
  const response = await fetch(`${shop}${pathOf(name, path, query)}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${name} returned ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<Name>;
}

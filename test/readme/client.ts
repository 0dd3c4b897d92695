import {
  pathOf,
  type AnswerOf,
  type BodyOf,
  type EndpointName,
  type PathOf,
} from 'backlot/contract';

/** Calls an endpoint by its name: path, body and answer have the types of the contract. */
export async function call<Name extends EndpointName>(
  shop: string,
  name: Name,
  path: PathOf<Name>,
  body?: BodyOf<Name>,
): Promise<AnswerOf<Name>> {
  const [method = 'GET'] = name.split(' ');
  const response = await fetch(`${shop}${pathOf(name, path)}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (response.status === 204 ? undefined : await response.json()) as AnswerOf<Name>;
}

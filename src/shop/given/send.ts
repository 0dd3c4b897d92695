import { Problem } from '../../engine/lib/problem.ts';
import type { StoreOffice } from '../store-office.ts';

/**
 * Sends a request that is not recorded, and returns the body of its response.
 *
 * @param name method and path for messages: `POST /api/users/`
 * @throws Problem `refused` with the response
 */
export function sendUnobserved(
  office: Pick<StoreOffice, 'requestUnobserved'>,
  name: string,
  url: string,
  body?: object,
): unknown {
  const [method = 'GET'] = name.split(' ');
  const response = office.requestUnobserved({
    method,
    url,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.status < 300) return JSON.parse(response.body ?? 'null');
  throw new Problem(
    'refused',
    `Failed to set up: ${name} returned ${response.status}: ${response.body ?? ''}`,
  );
}

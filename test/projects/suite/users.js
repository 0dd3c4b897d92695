import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createBackOffice } from 'backlot/node';

const office = createBackOffice();

beforeAll(() => office.listen());
beforeEach(() => office.reset());
afterAll(() => office.close());

export async function readUser(id) {
  const response = await fetch(`http://localhost/api/users/${id}`);
  return response.json();
}

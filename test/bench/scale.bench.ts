import { openBackOffice, type BackOffice } from '../../src/back-office.ts';
import { compare, type Figure } from './report.ts';

/** A read at 100,000 users over the same read at 100. */
export function scaleFigures(): Figure[] {
  const large = withUsers(100_000);
  const small = withUsers(100);
  return [
    figure('GET by id', large, '/api/users/90000', small, '/api/users/90'),
    figure('a page of 10', large, '/api/users/?page=5000', small, '/api/users/?page=5'),
  ];
}

function figure(
  name: string,
  large: BackOffice,
  far: string,
  small: BackOffice,
  near: string,
): Figure {
  const { a, b, ratio } = compare(get(large, far), get(small, near));
  return {
    name: `${name} at 100,000 users, over 100`,
    value: ratio,
    unit: 'x',
    limit: 1.2,
    detail: `${a.toFixed(1)} µs over ${b.toFixed(1)} µs`,
  };
}

function get(office: BackOffice, url: string): () => void {
  return () => {
    const { status } = office.answer({ method: 'GET', url, headers: {} });
    if (status !== 200) throw new Error(`${url} answered ${status}`);
  };
}

function withUsers(count: number): BackOffice {
  const users = Array.from({ length: count }, (_, index) => userOf(index + 1));
  return openBackOffice({
    scenario: { name: 'users', description: `${count} users`, data: { users } },
  });
}

function userOf(id: number) {
  const email = `customer.${id}@example.com`;
  return {
    id,
    first_name: 'Ada',
    last_name: `Novak ${id}`,
    username: email,
    username_canonical: email,
    email,
    email_canonical: email,
    enabled: true,
    locked: false,
    expired: false,
    credentials_expired: false,
    roles: [],
    password: 'p'.repeat(88),
    salt: 's'.repeat(31),
    created_at: '2025-01-01T00:00:00+0000',
    updated_at: '2025-01-01T00:00:00+0000',
  };
}

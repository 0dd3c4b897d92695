import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOffice } from '../../src/shop/office/store-office.ts';
import { compare, median, type Figure } from './report.ts';
import { rename } from './workloads.ts';

/**
 * Repeated reads at 100,000 users, relative to 100 users, also with a write before each; and, without a limit, uncached
 * reads of changed records all over the table.
 */
export function scaleFigures(): Figure[] {
  const large = withUsers(100_000);
  const small = withUsers(100);
  return [
    figure('GET by id', large, '/api/users/90000', small, '/api/users/90'),
    figure('a page of 10', large, '/api/users/?page=5000', small, '/api/users/?page=5'),
    figureAfterWrite('GET by id', large, '/api/users/90000', small, '/api/users/90'),
    figureAfterWrite('a page of 10', large, '/api/users/?page=5000', small, '/api/users/?page=5'),
    figureOfChanged(large, small),
  ];
}

function figureOfChanged(large: StoreOffice, small: StoreOffice): Figure {
  const rounds = Array.from({ length: 200 }, (_, round) => ({
    a: readChanged(large, round),
    b: readChanged(small, round),
  })).slice(50);
  const [a, b] = [median(rounds.map((round) => round.a)), median(rounds.map((round) => round.b))];
  return {
    name: 'GET by id, changed ones, at 100,000 users, over 100',
    value: median(rounds.map((round) => round.a / round.b)),
    unit: 'x',
    detail: `${a.toFixed(1)} µs over ${b.toFixed(1)} µs`,
  };
}

/** Returns microseconds of a read, measured by a hundred reads all over the table. */
function readChanged(office: StoreOffice, round: number): number {
  const { users } = office.db;
  const count = users.count();
  const ids = Array.from({ length: 100 }, (_, at) => 1 + ((at * 997 + round * 7919) % count));
  for (const id of ids) users.change(id, { last_name: `Novak ${round}` });
  const start = performance.now();
  for (const id of ids) get(office, `/api/users/${id}`)();
  return ((performance.now() - start) / ids.length) * 1000;
}

function figure(
  name: string,
  large: StoreOffice,
  far: string,
  small: StoreOffice,
  near: string,
): Figure {
  return compared(`${name} at 100,000 users, over 100`, get(large, far), get(small, near));
}

/** The PATCH is measured with the read. */
function figureAfterWrite(
  name: string,
  large: StoreOffice,
  far: string,
  small: StoreOffice,
  near: string,
): Figure {
  return compared(
    `${name} after a PATCH, at 100,000 users, over 100`,
    getAfterWrite(large, far),
    getAfterWrite(small, near),
  );
}

function compared(name: string, inLarge: () => void, inSmall: () => void): Figure {
  const { a, b, ratio } = compare(inLarge, inSmall);
  return {
    name,
    value: ratio,
    unit: 'x',
    limit: 1.2,
    detail: `${a.toFixed(1)} µs over ${b.toFixed(1)} µs`,
  };
}

/** Changes a user in the middle of the table, then reads. */
function getAfterWrite(office: StoreOffice, url: string): () => void {
  const read = get(office, url);
  const headers = { 'content-type': 'application/json' };
  const user = office.db.users.count() / 2;
  let round = 0;
  return () => {
    const { method, path, body } = rename(user, round++);
    const { status } = office.answer({ method, url: path, headers, body });
    if (status !== 204) throw new Error(`${path} answered ${status}`);
    read();
  };
}

function get(office: StoreOffice, url: string): () => void {
  return () => {
    const { status } = office.answer({ method: 'GET', url, headers: {} });
    if (status !== 200) throw new Error(`${url} answered ${status}`);
  };
}

function withUsers(count: number): StoreOffice {
  const users = Array.from({ length: count }, (_, index) => userOf(index + 1));
  return openStoreOffice({
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

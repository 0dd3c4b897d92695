import { test } from 'backlot/vitest';
import { afterEach, beforeEach, expect, vi } from 'vitest';

// None of these tests cleans its page up.

interface User {
  readonly name: string;
}

const later = 'The user cannot be shown now.';
const elsewhere = `${later} The reason is known, and others see the same. ${'Try it again in some minutes. '.repeat(4)}`;

/** An API that is not one of Backlot. */
beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({ name: 'Ada' }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function readUser(path = '/user'): Promise<User> {
  const response = await fetch(`https://users.test${path}`);
  if (!response.ok) throw new Error(`Status ${response.status}`);
  return (await response.json()) as User;
}

/** Adds a page, and has it show a user or what went wrong. */
async function show(
  page: (user: User | undefined, element: HTMLElement) => string | undefined,
  start = '',
): Promise<void> {
  const element = document.createElement('main');
  element.innerHTML = start;
  document.body.append(element);
  const user = await readUser().catch(() => undefined);
  const html = page(user, element);
  if (html !== undefined) element.innerHTML = html;
  expect(user).toBeDefined();
}

test('a page that tells', () => show((user) => `<p>${user?.name ?? later}</p>`));

test('a page that tells much', () => show((user) => `<p>${user?.name ?? elsewhere}</p>`));

test('a page that shows what it had hidden', () =>
  show((user, element) => {
    element.querySelector('p')!.hidden = user !== undefined;
    return undefined;
  }, `<p hidden>${later}</p><b>User</b>`));

test('a page with a shadow tree', () =>
  show((user, element) => {
    const root = element.attachShadow({ mode: 'open' });
    root.innerHTML = `<p>${user?.name ?? later}</p>`;
    return undefined;
  }));

test('a page that shows a name without its value', () =>
  show((user) => `<p>name: ${user?.name ?? ''}</p>`));

test('a page that shows undefined', () => show((user) => `<p>Hello ${user?.name}</p>`));

test('a page whose button stays disabled', () =>
  show(
    (user) => `<p>User</p><button ${user === undefined ? 'disabled' : ''}>Save</button>`,
    '<p>User</p><button>Save</button>',
  ));

test('a page that loads for ever', () =>
  show((user) => `<p>${user?.name ?? 'Loading …'}</p>`, '<p>User</p>'));

test('a list that numbers its items', () =>
  show(() => undefined, '<ol><li value="3">Users</li><li value="4"></li></ol>'));

test('\u001B[2Ja page that controls a terminal', () =>
  show(() => undefined, '<p>\u001B[31mUsers\u009B</p>'));

/** A page that reads twice: the second time, the test itself answers. */
async function showFailure(answer: () => Promise<Response>): Promise<void> {
  const element = document.createElement('main');
  document.body.append(element);
  const { name } = await readUser();
  vi.stubGlobal('fetch', answer);
  await readUser('/more').catch(() => {
    element.innerHTML = `<p>${name}</p><p>More cannot be shown.</p>`;
  });
  expect(element.textContent).toContain('More cannot be shown.');
}

test('an outage', () => showFailure(async () => Response.json({}, { status: 500 })));
test('a lost connection', () =>
  showFailure(() => Promise.reject(new TypeError('Failed to fetch'))));

test('a page that is compared with the API', async ({ office }) => {
  vi.unstubAllGlobals();
  const { id } = office.given.anOrder({ awaits: 'payment' });
  document.body.innerHTML = '<p>Loading …</p>';
  const url = `http://localhost/api/orders/${id}`;
  const read = async (): Promise<number> => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`Status ${response.status}`);
    return ((await response.json()) as { total: number }).total;
  };
  const total = await read().catch(() => 'The order cannot be shown.');
  document.body.innerHTML = `<h1>${String(total)}</h1>`;
  const own = (await (await office.fetch(url)).json()) as { total: number; state: string };
  expect(own.state).toBe('cart');
  expect(document.body.textContent).toBe(String(own.total));
});

class UserError extends Error {}

test('a caller with an error of its own', async () => {
  const user = await readUser().catch((cause: unknown) => {
    throw new UserError('No user', { cause });
  });
  expect(user.name).toBe('Ada');
});

test('a caller that rejects, as an assertion says', () =>
  expect(readUser()).resolves.toEqual({ name: 'Ada' }));

test('a caller that trusts the response', async () => {
  const response = await fetch('https://users.test/user');
  expect(((await response.json()) as User).name).toBe('Ada');
});

test('a caller that returns something else', async () => {
  const user = await readUser().catch(() => ({ name: '' }));
  expect(user.name).toBe('Ada');
});

test('a caller that is silent', async () => {
  await readUser().then(
    ({ name }) => expect(name).toBe('Ada'),
    () => undefined,
  );
});

test('a caller that asks again', async () => {
  const user = await readUser().catch(() => readUser());
  expect(user.name).toBe('Ada');
});

test('a caller that reads no body', async () => {
  const response = await fetch('https://users.test/user');
  expect(response.ok, `Status ${response.status}`).toBe(true);
});

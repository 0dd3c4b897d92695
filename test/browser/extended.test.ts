import { expect, test } from 'vitest';
import { startWorker } from '../../src/mounts/browser.ts';
import { createBackOffice } from '../../src/index.ts';
import { company } from '../support/company-api.ts';
import { conversation } from '../support/company-conversation.ts';
import { todoApi } from '../todo/api.ts';

test('a page answers an extended API as Node.js does, and has its tables', async () => {
  const office = await startWorker({ api: company });
  try {
    const other = createBackOffice({ api: company, history: true });
    const expected = await conversation((path, init) => other.fetch(path, init));
    expect(await conversation((path, init) => fetch(path, init))).toEqual(expected);
    expect(office.db.wishlists.count()).toBe(1);
    const made = await fetch('/_backlot/given/aWishlist', { method: 'POST' });
    expect(await made.json()).toMatchObject({ id: 2, name: 'Wishlist name 1' });
  } finally {
    await office.stop();
  }
});

test('a page answers another API, and describes it', async () => {
  const office = await startWorker({ api: todoApi });
  try {
    const body = new URLSearchParams({ title: 'Sing' });
    const created = await fetch('/api/todos/', { method: 'POST', body });
    expect(await created.json()).toMatchObject({ id: 3, title: 'Sing', done: false });
    expect(office.db.todos.all()).toHaveLength(3);
  } finally {
    await office.stop();
  }
});

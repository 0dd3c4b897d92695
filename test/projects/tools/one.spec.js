import { test } from 'backlot/vitest';
import { expect } from 'vitest';

test.concurrent.for([1, 2, 3])(
  'without isolation of files, each test has its own back office: %i',
  async (count, { office, expect: own }) => {
    for (let made = 0; made < count; made++) office.given.anOrder();
    const response = await fetch(`https://shop.test/api/users/${office.given.aUser().id}`);
    own(response.status).toBe(200);
    expect(office.db.orders.count()).toBe(120 + count);
    own(office).toHaveReceived('GET /api/users/:user_id', { times: 1 });
  },
);

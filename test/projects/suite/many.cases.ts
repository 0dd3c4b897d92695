import { test } from 'backlot/vitest';
import { expect } from 'vitest';

const totals = Object.fromEntries(Array.from({ length: 3400 }, (_, n) => [`total_${n}`, n]));

test('a page shows 3,400 totals', async ({ office }) => {
  office.faults.add({ match: { path: '/api/orders/1' }, status: 200, body: totals });
  const response = await fetch('http://localhost/api/orders/1');
  const read = (await response.json()) as Record<string, number>;
  document.body.innerHTML = Object.values(read)
    .map((total) => `<p>${total}</p>`)
    .join('');
  expect(document.body.childElementCount).toBe(3400);
});

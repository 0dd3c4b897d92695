import { expect, test } from 'vitest';
import { storeContract } from '../../src/shop/store-contract.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { openapi } from '../../src/engine/sessions/openapi.ts';

test('coverage counts the statuses that the OpenAPI document has, and no others', () => {
  const { paths } = openapi(storeApi, '1.0.0', storeApi.endpoints);
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => named(method, path, status)),
    ),
  );
  const counted = storeContract()
    .items.filter(({ measure }) => measure === 'statuses')
    .map(({ id }) => {
      const [method = '', path = '', status = ''] = id.split(' ');
      return named(method, path, status);
    });
  expect(counted.toSorted()).toEqual(documented.toSorted());
  expect(new Set(counted).size).toBe(counted.length);
});

/** The document spells paths with braces, and some without the trailing slash. */
function named(method: string, path: string, status: string): string {
  const spelled = path.replaceAll(/:(\w+)/g, '{$1}').replace(/\/$/, '');
  return `${method.toUpperCase()} ${spelled} ${status}`;
}

import type { ApiEndpoint } from '../definition/api.ts';

// The build for browsers replaces this module by one that has the bodies: rows of a page have no examples.

/** Returns the body of the example of an endpoint. */
export function exampleBody({
  example,
}: Pick<ApiEndpoint, 'example'>): Readonly<Record<string, unknown>> {
  return example.body ?? {};
}

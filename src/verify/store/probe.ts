import type { StoreEndpoint, StoreStep } from '../../shop/workflows/store-workflow.ts';

export type Expectations = Readonly<Record<string, string | number | boolean>>;

export function step(
  id: string,
  endpoint: StoreEndpoint,
  status: number,
  rest: Pick<StoreStep, 'takes' | 'path' | 'query' | 'body' | 'expect' | 'outputs'> = {},
): StoreStep {
  return { id, summary: id, endpoint, status, ...rest };
}

export function error(parameter: string): string {
  return `/errors/children/${parameter}/errors/0`;
}

export const taken = 'This value is already used.';
export { notBlank as blank, notValid } from '../../engine/rest/form.ts';

import { test } from 'backlot/vitest';
import { afterEach, expect, vi } from 'vitest';
import { showLists, showSearch } from './search.ts';

afterEach(() => {
  vi.useRealTimers();
});

function type(field: HTMLInputElement, ...values: readonly string[]): void {
  for (const value of values) {
    field.value = value;
    field.dispatchEvent(new Event('input'));
  }
}

const text = (): string => document.body.textContent;

test('a search shows what was typed last', async () => {
  type(showSearch('none'), 'la', 'lamp');
  await vi.waitFor(() => expect(text()).toContain('1 found'));
});

test.each([
  ['ignores', 'ignore'],
  ['aborts', 'abort'],
] as const)('a search that %s what is no longer typed', async (_, care) => {
  type(showSearch(care), 'la', 'lamp');
  await vi.waitFor(() => expect(text()).toContain('1 found'));
});

test('two parts are independent', async () => {
  await showLists();
  expect(text()).toMatch(/\d channels\d+ users/);
});

test('three searches at once', async () => {
  type(showSearch('none'), 'm', 'mu', 'mug');
  await vi.waitFor(() => expect(text()).toContain('found'));
});

test('a search that waits for its user, under fake timers', async () => {
  vi.useFakeTimers();
  const field = showSearch('none', 300);
  type(field, 'la');
  await vi.advanceTimersByTimeAsync(300);
  type(field, 'lamp');
  await vi.advanceTimersByTimeAsync(300);
  await vi.waitFor(() => expect(text()).toContain('found'));
});

test('one search after the other', async () => {
  const field = showSearch('none');
  type(field, 'la');
  await vi.waitFor(() => expect(text()).toContain('found'));
  type(field, 'lamp');
  await vi.waitFor(() => expect(text()).toContain('1 found'));
});

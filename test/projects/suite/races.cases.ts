import { test } from 'backlot/vitest';
import { afterEach, expect, vi } from 'vitest';
import { showLists, showSearch, type Care } from './search.ts';

const care = (process.env['CARE'] ?? 'none') as Care;

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
  type(showSearch(care), 'la', 'lamp');
  await vi.waitFor(() => expect(text()).toContain('1 found'));
});

test('two parts are independent', async () => {
  await showLists();
  expect(text()).toMatch(/\d channels\d+ users/);
});

test('three searches at once', async () => {
  type(showSearch(care), 'm', 'mu', 'mug');
  await vi.waitFor(() => expect(text()).toContain('found'));
});

test('a search that waits for its user, under fake timers', async () => {
  vi.useFakeTimers();
  const field = showSearch(care, 300);
  type(field, 'la');
  await vi.advanceTimersByTimeAsync(300);
  type(field, 'lamp');
  await vi.advanceTimersByTimeAsync(300);
  await vi.waitFor(() => expect(text()).toContain('found'));
});

test('one search after the other', async () => {
  const field = showSearch(care);
  type(field, 'la');
  await vi.waitFor(() => expect(text()).toContain('found'));
  type(field, 'lamp');
  await vi.waitFor(() => expect(text()).toContain('1 found'));
});

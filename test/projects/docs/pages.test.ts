import { expect, test, vi } from 'vitest';

test('the page that uses given and the matcher without the fixture runs', async () => {
  await import('./blocks/in-tests-vitest-in-browser-mode-2.ts');
});

test('the page that shows the studio has its button', async () => {
  await import('./blocks/control-api-the-studio-in-an-app.ts');
  expect(document.querySelector('backlot-devtools')).not.toBeNull();
});

test('a page whose worker script is missing says where to read about it', async () => {
  const log = vi.spyOn(console, 'log');
  await import('./blocks/errors-worker-script.ts');
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('/errors#worker-script'));
});

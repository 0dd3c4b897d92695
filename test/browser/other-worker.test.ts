import { http, HttpResponse } from 'msw';
import { setupWorker } from 'msw/browser';
import { expect, test } from 'vitest';
import { startWorker } from '../../src/mounts/browser.ts';

// Under MSW 2, both are started.
test('a start beside a worker of the app says that its handlers are to be passed', async () => {
  const own = setupWorker(http.get('/own', () => new HttpResponse('own')));
  await own.start({ quiet: true });
  try {
    await expect(startWorker()).rejects.toThrow(
      'Pass its handlers in its place: startWorker({ handlers })',
    );
  } finally {
    void own.stop();
  }
});

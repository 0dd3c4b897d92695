import { createExpressRouter, openBackOffice } from 'backlot/express';
import express from 'express';
import assert from 'node:assert/strict';
import { test } from 'node:test';

test('an Express application answers from a back office, without MSW and vitest', async () => {
  const server = express().use(createExpressRouter(openBackOffice())).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const response = await fetch(`http://127.0.0.1:${server.address().port}/api/users/1`);
    assert.equal(response.status, 200);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

import { createBackOffice } from 'backlot/node';
import express from 'express';
import request from 'supertest';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

/** The application under test: it has an API of its own, and calls the back office. */
const app = express().get('/api/customers/:id', async ({ params }, response) => {
  const answer = await fetch(`http://shop.example/api/users/${params.id}`);
  const { email } = await answer.json();
  response.status(answer.status).json({ email });
});

const office = createBackOffice();
before(() => office.listen());
after(() => office.close());

test('supertest reaches the application, and the application reaches the back office', async () => {
  const { email } = await (await office.fetch('/api/users/1')).json();
  await request(app).get('/api/customers/1').expect(200, { email });
});

test('a server that is listening already is reached', async () => {
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  await request(server).get('/api/customers/99999').expect(404);
  server.close();
});

test('the refusal of a server of another process names the option', async () => {
  const error = await fetch('http://127.0.0.1:49999/health').catch((one) => one);
  assert.match(error.cause.message, /onUnhandledRequest: 'bypass'/);
});

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import express from 'express';
import { measured } from './measured.ts';
import type { MapRecords } from './map.bench.ts';

/**
 * The mock that a person would write: an Express app that reads users from a Map, and puts new orders into another. It sends
 * the same bodies as Backlot, and the headers that Express adds by itself.
 */
const { users, order } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as MapRecords;
const usersById = new Map(users.map((user) => [user.id, user]));
const ordersById = new Map<number, object>();
let nextId = order.id + 1;

const app = express()
  .use(express.json())
  .get('/api/users/:id', (request, response) => {
    const user = usersById.get(Number(request.params.id));
    if (user === undefined) response.status(404).json({ code: 404, message: 'Not Found' });
    else response.json(user);
  })
  .post('/api/orders/', (request, response) => {
    const { currency } = request.body as { readonly currency: string };
    const created = { ...order, id: nextId++, currency };
    ordersById.set(created.id, created);
    response.status(201).location(`/api/orders/${created.id}`).json(created);
  });
measured(createServer({ keepAliveTimeout: 0 }, app));

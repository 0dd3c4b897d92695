import { createServer } from 'node:http';
import { measured } from './measured.ts';

/** Answers the same bytes to everything, from memory; a body that is sent is read. */
const [status, body] = process.argv.slice(2) as [string, string];
const bytes = Buffer.from(body, 'base64');

measured(
  createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(Number(status), { 'content-type': 'application/json' });
      response.end(bytes);
    });
  }),
);

import { createServer } from 'node:http';
import { measured } from './measured.ts';

/** Reads the body of every request and responds with the same bytes from memory. */
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

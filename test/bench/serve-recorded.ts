import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { deserialize } from 'node:v8';
import { measured } from './measured.ts';
import type { Recorded } from './recorded.ts';

/**
 * The bare server: sends the responses of a file (`recorded.ts`) from memory, with the same status, headers and bytes
 * for the same method and URL. It reads a request to the end of its body and looks up method and URL. It does not parse
 * either, and it keeps no journal.
 */
const responses = deserialize(readFileSync(process.argv[2]!)) as Recorded;

measured(
  createServer({ keepAliveTimeout: 0 }, (request, response) => {
    request.resume().once('end', () => {
      const { status, headers, body } = responses.get(`${request.method} ${request.url}`)!;
      response.writeHead(status, headers).end(body);
    });
  }),
);

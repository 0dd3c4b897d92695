import http from 'node:http';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import * as undici from 'undici';
import { onTestFinished } from 'vitest';

/** The clients whose requests a back office intercepts. */
export const clients: Record<string, (url: string) => Promise<{ status: number; text: string }>> = {
  fetch: async (url) => {
    const response = await fetch(url);
    return { status: response.status, text: await response.text() };
  },
  axios: async (url) => {
    const { status, data } = await axios.get<string>(url, {
      responseType: 'text',
      transformResponse: [],
    });
    return { status, text: data };
  },
  'axios over fetch': async (url) => {
    const { status, data } = await axios.get<string>(url, {
      adapter: 'fetch',
      responseType: 'text',
      transformResponse: [],
    });
    return { status, text: data };
  },
  'undici.fetch': async (url) => {
    const response = await undici.fetch(url);
    return { status: response.status, text: await response.text() };
  },
  'undici.request': async (url) => {
    const { statusCode, body } = await undici.request(url);
    return { status: statusCode, text: await body.text() };
  },
  'node:http': (url) =>
    new Promise((resolve, reject) => {
      http
        .get(url, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        })
        .on('error', reject);
    }),
};

/** The messages of an error and of its causes. */
export function messagesOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...messagesOf(error.cause)] : [];
}

/** A server of this process, as supertest starts one. */
export async function ownServer(): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const server = http.createServer(({ url = '' }, response) => {
    received.push(url);
    // MSW 2 adds a header to the requests of jsdom that pass.
    response.setHeader('access-control-allow-headers', '*');
    response.setHeader('access-control-allow-origin', '*').end('own');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ReceivedRecording } from '../../src/verify/replay/har-file.ts';

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Requests and responses as an HTTP archive has them. */
export class Recording {
  readonly entries: Record<string, unknown>[] = [];
  #time = Date.parse('2031-05-04T10:00:00Z');

  /** Returns a `fetch` that records, with one request every 40 ms. */
  recorded(send: Send): Send {
    return async (url, init) => {
      const response = await send(url, init);
      const text = await response.clone().text();
      this.#time += 40;
      const headers = new Headers(init.headers);
      this.entries.push({
        startedDateTime: new Date(this.#time).toISOString(),
        time: 12.5,
        request: {
          method: init.method ?? 'GET',
          url,
          httpVersion: 'http/2.0',
          headers: [{ name: ':method', value: init.method ?? 'GET' }, ...pairs(headers)],
          queryString: [],
          cookies: [],
          headersSize: -1,
          bodySize: -1,
          ...(typeof init.body === 'string' && {
            postData: { mimeType: headers.get('content-type') ?? '', text: init.body },
          }),
        },
        response: {
          status: response.status,
          statusText: '',
          httpVersion: 'http/2.0',
          headers: pairs(response.headers),
          cookies: [],
          content: {
            size: text.length,
            mimeType: response.headers.get('content-type') ?? '',
            ...(text !== '' && { text }),
          },
          redirectURL: '',
          headersSize: -1,
          bodySize: -1,
        },
        cache: {},
        timings: { send: 0, wait: 12.5, receive: 0 },
      });
      return response;
    };
  }

  text(): string {
    return harText(this.entries);
  }

  save(): string {
    return savedFile('shop.har', this.text());
  }
}

export function harText(entries: readonly unknown[]): string {
  const creator = { name: 'WebInspector', version: '537.36' };
  return JSON.stringify({ log: { version: '1.2', creator, pages: [], entries } });
}

/** Returns entries as a server receives an archive with them. */
export function receivedRecording(
  entries: readonly unknown[],
  name = 'shop.har',
  pause = () => Promise.resolve(),
): ReceivedRecording {
  return { name, chunks: [Buffer.from(harText(entries))], pause };
}

/** Saves a file in a folder of its own, until the test ends. */
export function savedFile(name: string, content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

function pairs(headers: Headers): { name: string; value: string }[] {
  return Array.from(headers, ([name, value]) => ({ name, value }));
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOffice } from '../../src/shop/office/store-office.ts';
import { anyCharacter } from '../support/any-character.ts';
import { harSchema } from '../support/har-schema.ts';
import { listen } from '../support/raw-http.ts';
import { runs } from '../support/runs.ts';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  /** The parameters of a JSON body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** What means something to a shell, to curl, in a source or to a terminal. */
const oddParts = [
  "'; touch hacked #",
  '$(touch hacked)',
  '`touch hacked`',
  '!!',
  '!$',
  '@/etc/hosts',
  '@-',
  '\\',
  "\\'",
  '"',
  '${HOME}',
  '%s%n',
  '*',
  '~',
  '-o hacked',
  '--next',
  '&& touch hacked',
  '| tee hacked',
  '> hacked',
  '${`}',
  '</script>',
  '*/',
  '{a,b}',
  '[1-9]',
  '__proto__',
];

/** Joins parts without what is not recorded: the password of a URL, and `***`, which stands for it. */
function withoutMask(parts: readonly string[]): string {
  return parts
    .join('')
    .replaceAll(/\*{2,}/g, '*')
    .replaceAll(/\/{2,}(?=[^/@\s]+@)/g, '/');
}

/** Characters of headers, which Node.js receives as one for each byte. */
const headerUnit = fc.integer({ min: 0x20, max: 0xff }).map((code) => {
  return code === 0x7f ? '\t' : String.fromCharCode(code);
});
const headerText = fc
  .array(fc.oneof(headerUnit, fc.constantFrom(...oddParts)), { maxLength: 8 })
  .map((parts) => withoutMask(parts).replaceAll(/^[ \t]+|[ \t]+$/g, ''));
const headers = fc.dictionary(
  fc.constantFrom('x-a', 'x-b', 'x-!#$%&', "x-'`|~", 'accept'),
  headerText,
);

/** Characters that Node.js accepts in the first line of a request. */
const urlUnit = fc
  .integer({ min: 0x21, max: 0x7e })
  .map((code) => (code === 0x23 ? 'x' : String.fromCharCode(code)));
const urlText = fc
  .array(
    fc.oneof(urlUnit, fc.constantFrom(...oddParts.map((text) => text.replaceAll(/[ #]/g, '+')))),
    {
      maxLength: 6,
    },
  )
  .map(withoutMask);

const bodyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 10 }),
  fc.constantFrom('\u2028', '\u0085\u009B31m', '\u007F', '\u202Eabc', '\uD800', '\0', ...oddParts),
);

const sent: fc.Arbitrary<Sent> = fc.record({
  method: fc.constantFrom('PATCH', 'POST', 'GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD'),
  url: fc.oneof(
    urlText.map((text) => `/api/users/1?q=${text}`),
    urlText.map((text) => withoutMask(['/api/users/', text])),
    fc.constantFrom('/api/../api/users/1', '/api/./users/%2e%2e/1?a=/../', '//api/users/1'),
  ),
  headers,
  body: fc.option(fc.dictionary(fc.constantFrom('firstName', 'q', '__proto__', 'é'), bodyText), {
    nil: undefined,
  }),
});

/** Records requests as a server does. */
function record({ method, url, headers: given, body }: Sent, office: StoreOffice): void {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const json = text === undefined ? {} : { 'content-type': 'application/json' };
  office.answer({ method, url, headers: { ...given, ...json }, body: text });
}

/** The requests that arrive at a server which answers each of them in the same way. */
async function openEcho(): Promise<{ readonly url: string; readonly arrived: Sent[] }> {
  const arrived: Sent[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
    request.once('end', () => {
      const { method = '', url = '', headers: received } = request;
      const body = text === '' ? undefined : (JSON.parse(text) as Sent['body']);
      arrived.push({ method, url, headers: received as Sent['headers'], body });
      response.end();
    });
  });
  return { url: await listen(server), arrived };
}

/** Runs lines in one shell that also expands `!`, as one at a terminal does, and returns which files that made. */
async function inShell(lines: readonly string[]): Promise<{ out: string; files: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const child = spawn('bash', ['--norc'], { cwd: folder, env: { PATH: process.env['PATH'] } });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (out += text));
  child.stdin.end(
    `set -o history -o histexpand\ncurl() { command curl -sS --noproxy '*' "$@"; }\n${lines.join('\n')}\n`,
  );
  await once(child, 'close');
  return { out, files: await readdir(folder) };
}

/** What a request says, without what clients say by themselves. */
function saying({ method, url, headers: all, body }: Sent): object {
  const said = Object.entries(all).filter(([name]) => /^(x-|accept$)/.test(name));
  const kept = said.filter(([name, value]) => name !== 'accept' || value !== '*/*');
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return { method, url, headers: Object.fromEntries(kept), body: hasBody ? body : undefined };
}

/** Decodes a URL as a server does, because `fetch` encodes more than it has to. */
function decoded(url: string): string {
  return url.replaceAll(/(%[\da-f]{2})+/gi, (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      // Not UTF-8 as a whole, but ASCII in parts.
      return text.replaceAll(/%[0-7][\da-f]/gi, decodeURIComponent);
    }
  });
}

/** What a terminal or an editor may obey. */
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u;

const seed = Number(process.env['SEED'] ?? Date.now());
// A journal has no place for more.
const all = fc.sample(sent, { numRuns: Math.min(runs(1000), 2000), seed });
const office = openStoreOffice({ history: true, settings: { journalSize: all.length } });
for (const one of all) record(one, office);
const ids = office.history.entries({ limit: all.length }).map(({ id }) => id);

/** The requests, with the bodies as far as they are recorded. */
const expected = ids.map((id, at) => {
  const { body } = office.history.entry(id).exchange!.request;
  return saying({ ...all[at]!, body });
});

test(`commands of curl for odd requests send these and do nothing else, seed ${seed}`, async () => {
  const { url, arrived } = await openEcho();
  const lines = ids.map((id) => office.history.as(id, 'curl', url));
  for (const line of lines) expect(line).not.toMatch(unprintable);
  // Each of these starts a process.
  const tried = runs(lines.length);
  const { out, files } = await inShell(lines.slice(0, tried));
  expect(files).toEqual([]);
  // `--head` prints the headers of the response.
  expect(out.replaceAll(/^(HTTP\/1.1 200|Date|Connection|Keep-Alive|\r)[^\n]*\n/gm, '')).toBe('');
  expect(arrived.map(saying)).toEqual(expected.slice(0, tried));
});

test(`calls of fetch for odd requests send these, seed ${seed}`, async () => {
  const { url, arrived } = await openEcho();
  for (const id of ids) {
    const code = office.history.as(id, 'fetch', url);
    expect(code).not.toMatch(unprintable);
    // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- the source is what is tested
    await (new Function(`return (async () => { ${code} })()`) as () => Promise<void>)();
  }
  const comparable = (one: object): object => {
    const { url: path, ...rest } = one as Sent;
    return { ...rest, url: decoded(new URL(path.replace(/^\/+/, '/'), url).href) };
  };
  expect(arrived.map((one) => comparable(saying(one)))).toEqual(expected.map(comparable));
});

test(`a HAR of odd requests is valid, seed ${seed}`, () => {
  const har = office.history.export({ as: 'har' });
  const ajv = new Ajv({ allErrors: true });
  addFormats.default(ajv);
  expect(ajv.validate(harSchema, har), ajv.errorsText()).toBe(true);
  expect(har.log.entries.map(({ request: { method } }) => method)).toEqual(
    all.map(({ method }) => method),
  );
  for (const [at, { request }] of har.log.entries.entries())
    expect(decoded(request.url)).toBe(decoded(`http://127.0.0.1:4000${all[at]!.url}`));
});

test.each([
  '<b>.localhost',
  'a b',
  '[::1',
  'x"y.localhost',
  'é.localhost',
  "';id;'",
  'a/b',
  'user@h',
  '',
])('a request with the header Host %s is exported with an address that can be used', (host) => {
  const one = openStoreOffice({ history: true });
  one.answer({ method: 'GET', url: '/api/users/1', headers: { host } });
  const [entry] = one.history.export({ as: 'har' }).log.entries;
  expect(entry!.request.url).toBe('http://127.0.0.1:4000/api/users/1');
  expect(one.history.as(1, 'curl')).toBe('curl http://127.0.0.1:4000/api/users/1');
});

import { storeApi } from '../../src/shop/store-api.ts';
import { controlEndpoints } from '../../src/engine/control/endpoints/index.ts';
import { filled, json, type Room, type Sent, type Visit } from './visit.ts';

const urlEncoded = 'application/x-www-form-urlencoded';
const boundary = 'b';
const multipart = `multipart/form-data; boundary=${boundary}`;

/** Every endpoint with expensive bodies, queries, headers and paths. One at a time, because all have many gigabytes. */
export function* nastyRequests(room: Room): Generator<Visit> {
  yield* nastyPaths(room);
  for (const { method, path, example, body, query } of [
    ...storeApi.endpoints,
    ...controlEndpoints(storeApi),
  ]) {
    const size = path === '/_backlot/import' ? room.import : room.body;
    const send = (what: string, sent: Omit<Sent, 'method'>): Visit => ({
      name: `${method} ${path}: ${what}`,
      request: { method, ...sent },
    });
    const { url } = example;
    const names = Object.keys(body?.children ?? query?.children ?? {});
    const bodies = method === 'GET' ? [] : nastyBodies(size, names);
    for (const { what, ...sent } of bodies) yield send(what, { url, ...sent });
    for (const { what, text } of nastyQueries(room.head, names))
      yield send(what, { url: `${url.split('?')[0]}?${text}` });
    for (const { what, headers } of nastyHeaders(room.head))
      yield send(what, {
        url,
        headers,
        ...(example.body !== undefined && { body: JSON.stringify(example.body), type: json }),
      });
  }
}

/** Unknown paths. */
function nastyPaths({ head }: Room): Visit[] {
  return ['/api', '/api/orders', '/_backlot', '/_backlot/sessions', '/oauth', '/s'].flatMap(
    (root) =>
      ['/', '/a', '%25', '/%zz', '/%F0%9F%98%80', '/4111111111111111', '//', '/:id'].map(
        (part) => ({
          name: `GET ${root}${part}…`,
          request: { method: 'GET', url: `${root}/${filled(head - 20, () => part, '')}` },
        }),
      ),
  );
}

export function nastyBodies(size: number, names: readonly string[]) {
  const [first = 'a'] = names;
  const forms: Record<string, (at: number) => string> = {
    'names a1=': (at) => `a${at}=`,
    'empty entries': () => '=',
    'one name': () => `${first}=`,
    'lists a[]=': () => `${first}[]=0`,
    'numbers a[1]=': (at) => `${first}[${at}]=`,
    'brackets a[1][b]…=': (at) => `a[${at}][b][c][d][e][f][g]=`,
    'brackets [a=': (at) => `[${at}=`,
    __proto__: (at) => `${first}[__proto__][${at}]=`,
    percents: (at) => `%5B${at}%5D=%zz`,
  };
  const texts: Record<string, string> = {
    'unknown names': `{${filled(size, (at) => `"a${at}":0`)}}`,
    'bracket names': `{${filled(size, (at) => `"${first}[${at}]":0`)}}`,
    'deep bracket names': `{${filled(size, (at) => `"a[${at}][b][c][d][e][f][g]":0`)}}`,
    'one bracket name among others': `{"a[b]":0,${filled(size, (at) => `"a${at}":0`)}}`,
    'open arrays': `{"a":${'['.repeat(size)}`,
    'deep arrays': `{"a":${'['.repeat(size / 2 - 4)}${']'.repeat(size / 2 - 4)}}`,
    'many deep arrays': `{"a":[${filled(size, () => `${'['.repeat(60)}${']'.repeat(60)}`)}]}`,
    digits: `{"a":${'9'.repeat(size)}}`,
    'a long name': `{"${'a'.repeat(size)}":0}`,
    'no JSON': '"'.repeat(size),
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`${name}: zeros`, `{"${name}":[${filled(size, () => '0')}]}`],
        [`${name}: objects`, `{"${name}":[${filled(size, () => '{}')}]}`],
        [`${name}: texts`, `{"${name}":[${filled(size, () => '"a"')}]}`],
        [`${name}: unknown names`, `{"${name}":{${filled(size, (at) => `"a${at}":0`)}}}`],
        [`${name}: a long text`, `{"${name}":"${'a'.repeat(size - 30)}"}`],
        [`${name}: spaces`, `{"${name}":"a${' '.repeat(size - 30)}a"}`],
        [`${name}: at signs`, `{"${name}":"${'a@a.'.repeat(size / 4 - 10)}"}`],
        [`${name}: digits`, `{"${name}":"${'4'.repeat(size - 30)}"}`],
        [`${name}: slashes`, `{"${name}":"${'/:'.repeat(size / 2 - 20)}"}`],
      ]),
    ),
  };
  return [
    ...Object.entries(texts).map(([what, body]) => ({ what, body, type: json })),
    ...Object.entries(forms).map(([what, entry]) => ({
      what: `form, ${what}`,
      body: filled(size, entry, '&'),
      type: urlEncoded,
    })),
    ...Object.entries(forms).map(([what, entry]) => ({
      what: `multipart, ${what}`,
      body: multipartOf(size, (at) => decodeURI(entry(at).replaceAll('%', '')).split('=')[0] ?? ''),
      type: multipart,
    })),
    { what: 'multipart, files', body: multipartOf(size, () => 'a"; filename="a'), type: multipart },
    { what: 'multipart, headers', body: multipartHeaders(size), type: multipart },
    {
      what: 'multipart, dashes',
      body: `--${boundary}\r\n${'\r\n--'.repeat(size / 4)}`,
      type: multipart,
    },
  ];
}

function nastyQueries(size: number, names: readonly string[]) {
  const queries: Record<string, string> = {
    'query, unknown names': filled(size, (at) => `a${at}`, '&'),
    'query, criteria': filled(size, (at) => `criteria[a${at}]=`, '&'),
    'query, one criterion': filled(size, () => 'criteria[name]=a', '&'),
    'query, sorting': filled(size, (at) => `sorting[a${at}]=asc`, '&'),
    'query, brackets': filled(size, (at) => `a[${at}][b][c][d][e][f][g]`, '&'),
    'query, a long text': `criteria[name]=${'a'.repeat(size - 30)}`,
    'query, a long limit': `limit=${'9'.repeat(size - 30)}`,
    'query, percents': '%'.repeat(size),
    'query, cards': filled(size, (at) => `a${at}=4111111111111111`, '&'),
  };
  for (const name of names) {
    queries[`query, ${name}`] = `${name}=${'a'.repeat(size - 40)}`;
    queries[`query, list ${name}`] = filled(size, (at) => `${name}[${at}]=`, '&');
  }
  return Object.entries(queries).map(([what, text]) => ({ what, text }));
}

function nastyHeaders(size: number) {
  const many: Record<string, Record<string, string>> = {
    'Prefer, many': { prefer: filled(size, (at) => `a${at}=1`) },
    'Prefer, one again and again': { prefer: filled(size, () => 'delay=0') },
    'Prefer, long': { prefer: `status=${'5'.repeat(size)}` },
    'Prefer, digits': { prefer: `delay=${'5'.repeat(size)}` },
    'Prefer, spaces': { prefer: `delay=${' '.repeat(size)}s` },
    'Prefer, quotes': { prefer: '"'.repeat(size) },
    'many cookies': { cookie: filled(size, (at) => `a${at}=1`, '; ') },
    'a cookie of spaces': { cookie: ' '.repeat(size) },
    'a long token': { authorization: `Bearer ${'a'.repeat(size)}` },
    'spaces in a token': { authorization: `Bearer${' '.repeat(size)}` },
    'a long content type': { 'content-type': `application/json${';'.repeat(size)}` },
    'a boundary of spaces': { 'content-type': `multipart/form-data${' '.repeat(size)}` },
    'a long referer': { referer: filled(size, (at) => `?a=${at}&b`) },
  };
  return Object.entries(many).map(([what, headers]) => ({ what, headers }));
}

function multipartOf(size: number, name: (at: number) => string): string {
  const part = (at: number): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name(at)}"\r\n\r\n\r\n`;
  return `${filled(size, part, '')}--${boundary}--\r\n`;
}

function multipartHeaders(size: number): string {
  const disposition = 'Content-Disposition: form-data; name="a"';
  return `--${boundary}\r\n${disposition}\r\n${filled(size - 80, (at) => `A${at}:\r\n`, '')}\r\n\r\n--${boundary}--\r\n`;
}

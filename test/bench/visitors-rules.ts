import {
  filled,
  json as type,
  post,
  put,
  times,
  type Room,
  type Send,
  type Visit,
} from './visit.ts';

/** Searches of a full journal. */
export function journalStories({ body }: Room): Visit[] {
  const size = body - 100;
  const fat = (send: Send) =>
    times(600, () =>
      send({
        method: 'PUT',
        url: '/api/checkouts/120',
        type,
        body: `{"shipments":{${filled(Math.min(size, 60_000), (at) => `"a${at}":0`)}}}`,
      }),
    );
  const filters: Record<string, string> = {
    'unknown names': `"body":{${filled(size, (at) => `"a${at}":0`)}}`,
    'near names': `"request":"PUT /api/checkouts/:order_id","body":{${filled(size, (at) => `"shipment${at}":0`)}}`,
    conditions: `"body":{"shipments":{${filled(size, (at) => `"a${at}":0`)}}}`,
    'conditions of what nothing reached': `"reached":false,"body":{${filled(size, (at) => `"a${at}":0`)}}`,
    'true conditions': `"reached":true,"query":{"page":{${filled(size, (at) => `"a${at}":""`)}}}`,
    'flat conditions': `"body":{${filled(size, (at) => `"shipments[${at}]":0`)}}`,
    'a long name': `"reached":false,"body":{"${'a.'.repeat(size / 2 - 20)}":0}`,
    'a long value': `"body":{"shipments":{"a":"${'a'.repeat(size - 20)}"}}`,
    'secret names': `"reached":false,"body":{${filled(size, (at) => `"password${at}":"a"`)}}`,
    'deep conditions': `"body":{"shipments":[${filled(size, () => `${'[0,'.repeat(50)}0${']'.repeat(50)}`)}]}`,
    'a long path': `"request":"GET /${'a/'.repeat(size / 2 - 20)}"`,
    'a long path of parts': `"request":"GET /${':a/'.repeat(size / 3 - 20)}"`,
    'a long word': `"request":"${'a'.repeat(size - 20)}"`,
    'many words': `"request":"${'a '.repeat(size / 2 - 20)}"`,
    'a long status': `"status":"${'4'.repeat(size - 20)}"`,
    'unknown conditions': filled(size, (at) => `"a${at}":0`),
  };
  const ways = ['find', 'verify', 'wait'];
  return [
    ...ways.flatMap((way) =>
      Object.entries(filters).map(([what, filter]) => ({
        name: `journal/${way}, ${what}`,
        prepare: full,
        request: {
          method: 'POST',
          url: `/_backlot/journal/${way}`,
          body: `{${filter}${way === 'verify' ? ',"times":9' : ''}}`,
          type,
        },
      })),
    ),
    ...['', '/count', '?status=4xx', '?request=PUT+/api/checkouts/:order_id'].map((rest) => ({
      name: `GET journal${rest}`,
      prepare: full,
      request: { method: 'GET', url: `/_backlot/journal${rest}` },
    })),
    {
      name: 'GET journal of long bodies',
      prepare: fat,
      request: { method: 'GET', url: '/_backlot/journal' },
    },
    {
      name: 'verify, a journal of long bodies',
      prepare: fat,
      request: post('/_backlot/journal/verify', { body: { shipments: { a: 1 } }, times: 9 }),
    },
  ];
}

/** Faults and scripts, and requests to a shop with as many as possible. */
export function ruleStories({ body, isDemo, head }: Room): Visit[] {
  const size = body - 100;
  const names = (name: (at: number) => string) =>
    `{${filled(size, (at) => `"${name(at)}":"${at}"`)}}`;
  const kinds: Record<string, string> = {
    'unknown names': `"status":503,"match":{"parameters":${names((at) => `a${at}`)}}`,
    'unknown names of a checkout': `"status":503,"match":{"path":"/api/checkouts/:order_id","parameters":${names((at) => `a${at}`)}}`,
    'known names': `"status":503,"match":{"parameters":${names((at) => `shipments.${at}`)}}`,
    headers: `"status":503,"headers":${names((at) => `a${at}`)}`,
    'wrong headers': `"status":503,"headers":{${filled(size, (at) => `"a${at} ":"\\n"`)}}`,
    'a long body': `"status":503,"body":[${filled(size, () => '{}')}]`,
    'a deep body': `"status":503,"body":${'['.repeat(60)}${']'.repeat(60)}`,
    'a long path': `"status":503,"match":{"path":"/${'a/'.repeat(size / 2 - 40)}"}`,
    'unknown keys': filled(size, (at) => `"a${at}":0`),
    'a long duration': `"limit":{"requests":1,"per":"P${'1'.repeat(size - 60)}D"}`,
    'a long session': `"status":503,"match":{"session":"${'a'.repeat(size - 60)}"}`,
  };
  const rules = isDemo ? 300 : 1000;
  const parameters = Math.min(size, 60_000);
  const many = (rule: string) => (send: Send) =>
    times(rules, () => send({ method: 'POST', url: '/_backlot/faults', body: rule, type }));
  const met = `{"delay":0,"match":{"parameters":{${filled(2000, (at) => `"shipments.a${at}":"0"`)}}}}`;
  const inQuery = filled(head, (at) => `page[a${at}]=0`, '&');
  const queryMet = `{"delay":0,"match":{"parameters":{${filled(2000, (at) => `"page.a${at}":"0"`)}}}}`;
  const script = {
    on: 'create',
    match: { currency: 'EUR' },
    delay: 0,
  };
  return [
    ...Object.entries(kinds).map(([what, rule]) => ({
      name: `faults, ${what}`,
      request: { method: 'POST', url: '/_backlot/faults', body: `{${rule}}`, type },
    })),
    ...['/_backlot/faults', '/_backlot/export'].map((url) => ({
      name: `${url} of many`,
      prepare: many(met),
      request: { method: 'GET', url },
    })),
    ...['/_backlot/faults', '/_backlot/export'].map((url) => ({
      name: `${url} of many with long bodies`,
      prepare: many(`{"status":503,"body":[${filled(size - 100, () => '{}')}]}`),
      request: { method: 'GET', url },
    })),
    {
      name: 'clear many faults',
      prepare: many(met),
      request: { method: 'DELETE', url: '/_backlot/faults' },
    },
    {
      name: 'many faults that ask the body',
      prepare: many(met),
      request: {
        method: 'PUT',
        url: '/api/checkouts/120',
        body: `{"shipments":{${filled(parameters, (at) => `"a${at}":0`)}}}`,
        type,
      },
    },
    {
      name: 'many faults that ask the query',
      prepare: many(queryMet),
      request: { method: 'GET', url: `/api/orders/?${inQuery}` },
    },
    {
      name: 'many faults with patterns',
      prepare: many(`{"delay":0,"match":{"path":"/api/*"}}`),
      request: { method: 'GET', url: `/api/${'%41/'.repeat(head / 4)}` },
    },
    {
      name: 'many faults with chances',
      prepare: many(`{"delay":{"median":1,"p95":2},"probability":0.9}`),
      request: { method: 'GET', url: '/api/orders/' },
    },
    {
      name: 'many faults with limits',
      prepare: many(`{"limit":{"requests":0,"per":"P1DT1H1M1S"}}`),
      request: { method: 'GET', url: '/api/orders/' },
    },
    {
      name: 'a fault that answers much',
      prepare: (send) =>
        send({
          method: 'POST',
          url: '/_backlot/faults',
          body: `{"status":503,"body":[${filled(size, () => '{}')}]}`,
          type,
        }),
      request: { method: 'GET', url: '/api/orders/' },
    },
    {
      name: 'many scripts',
      prepare: (send) => times(rules, () => send(post('/_backlot/script', script))),
      request: post('/api/orders/', { channel: 1, user: 1, currency: 'EUR' }),
    },
    {
      name: 'clear many scripts',
      prepare: (send) => times(rules, () => send(post('/_backlot/script', script))),
      request: { method: 'DELETE', url: '/_backlot/script' },
    },
  ];
}

function full(send: Send) {
  return times(600, (at) =>
    send(
      at % 2 === 0
        ? put('/api/checkouts/120', { shipments: { 0: { method: at } }, a: at })
        : { method: 'GET', url: `/api/orders/?criteria[number]=${at}` },
    ),
  );
}

/** HAR 1.2 as a JSON Schema, after http://www.softwareishard.com/blog/har-12-spec/. */
const text = { type: 'string' };
const size = { type: 'integer', minimum: -1 };
const duration = { type: 'number', minimum: -1 };

function record(required: object, optional: object = {}): object {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional, comment: text },
    // Names of fields that the format does not define begin with an underscore.
    patternProperties: { '^_': {} },
    additionalProperties: false,
  };
}

const pairs = { type: 'array', items: record({ name: text, value: text }) };

const message = {
  httpVersion: text,
  cookies: pairs,
  headers: pairs,
  headersSize: size,
  bodySize: size,
};

const request = record(
  { method: text, url: { type: 'string', format: 'uri' }, ...message, queryString: pairs },
  { postData: record({ mimeType: text, text }, { params: pairs }) },
);

const response = record({
  status: { type: 'integer' },
  statusText: text,
  ...message,
  content: record({ size, mimeType: text }, { compression: size, text, encoding: text }),
  redirectURL: text,
});

const timings = record(
  { send: duration, wait: duration, receive: duration },
  { blocked: duration, dns: duration, connect: duration, ssl: duration },
);

const entry = record(
  {
    startedDateTime: { type: 'string', format: 'date-time' },
    time: { type: 'number', minimum: 0 },
    request,
    response,
    cache: record({}, { beforeRequest: {}, afterRequest: {} }),
    timings,
  },
  { pageref: text, serverIPAddress: text, connection: text },
);

export const harSchema = record({
  log: record(
    {
      version: { const: '1.2' },
      creator: record({ name: text, version: text }),
      entries: { type: 'array', items: entry },
    },
    { browser: record({ name: text, version: text }), pages: { type: 'array' } },
  ),
});

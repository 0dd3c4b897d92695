// Requests to every operation of the document: its examples, each of its query parameters, and what it rejects.

const json = { 'content-type': 'application/json' };

/** Sends the probes of an operation. */
export async function probe(send, path, method, operation) {
  const filled = `${method.toUpperCase()} ${fill(path, () => '1')}`;
  const isWrite = method !== 'get';
  const body = (value) =>
    isWrite && value !== undefined
      ? { headers: json, body: typeof value === 'string' ? value : JSON.stringify(value) }
      : {};

  await sendExamples(send, path, method, operation);
  const unknown = fill(path, () => '9999999');
  await send(`${method.toUpperCase()} ${unknown}`, method === 'delete' ? {} : body({}));
  await send(`${filled}?page=0&limit=x`, body({}));
  for (const parameter of operation.parameters) {
    if (parameter.in === 'query') await send(`${filled}?${queryOf(parameter)}`, body({}));
  }
  if (!path.startsWith('/_backlot')) {
    for (const status of [500, 503])
      await send(filled, { headers: { prefer: `status=${status}` } });
  }
  if (isWrite) {
    await send(filled, body({ nothing: 1 }));
    await send(filled, body({ padding: 'a'.repeat(1_100_000) }));
    await send(filled, { body: new URLSearchParams({ nothing: '1' }) });
    await send(filled, { headers: { 'content-type': 'application/xml' }, body: '<nothing/>' });
  }
  // An import replaces the shop.
  if (path === '/_backlot/import')
    await send('POST /_backlot/reset', { headers: json, body: '{}' });
}

async function sendExamples(send, path, method, { parameters, requestBody }) {
  const content = requestBody?.content['application/json'];
  for (const name of Object.keys(content?.examples ?? parameters[0]?.examples ?? { none: 1 })) {
    const url = fill(path, (key) => {
      const { examples } = parameters.find((one) => one.name === key);
      return examples?.[name]?.value;
    });
    const example = content?.examples[name].value;
    const init = example === undefined ? {} : { headers: json, body: JSON.stringify(example) };
    await send(`${method.toUpperCase()} ${url}`, init);
  }
}

function fill(path, valueOf) {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => valueOf(name));
}

/** Returns a query with one parameter, by its first example or by its schema. */
function queryOf({ name, schema, examples = {} }) {
  const [example] = Object.values(examples);
  return `${name}=${encodeURIComponent(example?.value ?? sampleOf(schema))}`;
}

function sampleOf({ enum: values, type }) {
  return values?.[0] ?? (type === 'integer' || type === 'number' ? 1 : 'a');
}

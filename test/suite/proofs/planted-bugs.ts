/** A bug of `examples/admin`: texts of its source that are replaced. */
export interface PlantedBug {
  readonly name: string;
  readonly file: 'src/api.ts' | 'src/order.tsx';
  readonly replaced: string;
  readonly by: string;
  /** The test that does not notice it itself (default: `a chosen payment`). */
  readonly test?: string;
}

const put = `await call('PUT /api/checkouts/:order_id', { path, body: step!.bodyOf(values) })`;
const read = `await call('GET /api/orders/:order_id', { path }).then(setOrder, fail);`;
const submit = `${put}.catch(fail);
    // After a failure, too: the server may have done what it could not answer.
    ${read}`;
const alert = `{error && Object.keys(error.fields).length === 0 && <p role="alert">{error.message}</p>}`;

/** Eight silences, two writes that are performed twice, and two orders that are shown as they were. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'silence: nothing catches a connection that closes',
    file: 'src/api.ts',
    replaced: `await fetch(new URL(path, location.origin), init).catch(() => undefined);`,
    by: `await fetch(new URL(path, location.origin), init);`,
  },
  {
    name: 'silence: a response that cannot be read counts as an order',
    file: 'src/api.ts',
    replaced: `await response.json().catch(() => undefined);`,
    by: `await response.json().catch(() => ({}));`,
  },
  {
    name: 'silence: an unreadable response has no message',
    file: 'src/api.ts',
    replaced: `'The response of the server cannot be read.'`,
    by: `''`,
  },
  {
    name: 'silence: an order that cannot be read is loading for ever',
    file: 'src/order.tsx',
    replaced: `if (!order) return error ? <p role="alert">{error.message}</p> : <p>Loading …</p>;`,
    by: `if (!order) return <p>Loading …</p>;`,
  },
  {
    name: 'silence: a step that fails shows no message',
    file: 'src/order.tsx',
    replaced: alert,
    by: '',
  },
  {
    name: 'silence: errors without a status are dropped',
    file: 'src/order.tsx',
    replaced: `    setError(caught);`,
    by: `    if (caught.status === 0) return;
    setError(caught);`,
  },
  {
    name: 'silence: a message is gone at once',
    file: 'src/order.tsx',
    replaced: `    setError(caught);`,
    by: `    setError(caught);
    if (order && Object.keys(caught.fields).length === 0) setTimeout(() => setError(undefined));`,
  },
  {
    name: 'silence: nothing shows that a step is under way',
    file: 'src/order.tsx',
    replaced: `<button disabled={isBusy}>`,
    by: `<button>`,
  },
  {
    name: 'double: a request whose connection closes is sent again',
    file: 'src/api.ts',
    replaced: `await fetch(new URL(path, location.origin), init).catch(() => undefined);`,
    by: `await fetch(new URL(path, location.origin), init)
    .catch(() => fetch(new URL(path, location.origin), init))
    .catch(() => undefined);`,
    test: 'a declined card',
  },
  {
    name: 'double: a step that fails is taken again',
    file: 'src/order.tsx',
    replaced: `${put}.catch(fail);`,
    by: `const send = () => call('PUT /api/checkouts/:order_id', { path, body: step!.bodyOf(values) });
    await send().catch((caught) => (caught.status === 400 ? fail(caught) : send().catch(fail)));`,
    test: 'a declined card',
  },
  {
    name: 'stale: a step whose connection closes leaves the order as it was',
    file: 'src/order.tsx',
    replaced: submit,
    by: `const isDone = ${put}.then(
      () => true,
      (caught) => (caught.status === 0 ? false : (fail(caught), true)),
    );
    if (isDone) ${read}`,
  },
  {
    name: 'stale: a step whose response cannot be read leaves the order as it was',
    file: 'src/order.tsx',
    replaced: submit,
    by: `const isDone = ${put}.then(
      () => true,
      (caught) => (caught.status === 200 ? false : (fail(caught), true)),
    );
    if (isDone) ${read}`,
  },
];

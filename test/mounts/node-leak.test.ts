import http from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import axios from 'axios';
import * as undici from 'undici';
import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/mounts/node.ts';
import { runs } from '../support/runs.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** MSW 3 leaves a handle of each socket it intercepts: never opened, without a descriptor, keeping nothing alive. */
const passing = ['TCPSocketWrap', 'Timeout'];

/** Returns the resources of the process that a back office could leak. */
function traces() {
  return {
    fetch: globalThis.fetch,
    request: http.request,
    dispatcher: undici.getGlobalDispatcher(),
    listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
    resources: process
      .getActiveResourcesInfo()
      .filter((name) => !passing.includes(name))
      .toSorted(),
  };
}

/** Opens, uses and closes a back office. Returns a reference to check garbage collection. */
async function live(number: number): Promise<WeakRef<object>> {
  const backOffice = createBackOffice({ seed: 1 });
  backOffice.listen({ clients: number % 4 === 3 ? 'fetch' : 'all' });
  const url = 'http://shop.test/api/users/1';
  if (number % 4 === 0) await axios.get(url);
  else if (number % 4 === 1) await (await undici.request(url)).body.dump();
  else await (await fetch(url)).arrayBuffer();
  backOffice.close();
  return new WeakRef(backOffice);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    collect();
  }
}

const count = runs(200);

test(`${count} back offices that listened and were closed are garbage-collected`, async () => {
  await live(0);
  await settle();
  const before = traces();
  const lived: WeakRef<object>[] = [];
  for (let number = 0; number < count; number++) lived.push(await live(number));
  await settle();
  expect(traces()).toEqual(before);
  const left = lived.filter((one) => one.deref() !== undefined);
  // What the last few did may still be on its way through the event loop.
  expect(left.length).toBeLessThanOrEqual(5);
});

import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { storeApi } from '../../src/define.ts';
import type { ScenarioInput } from '../../src/index.ts';
import { namedPath } from '../../src/engine/lib/api-path.ts';
import { isObject } from '../../src/engine/lib/json-value.ts';
import {
  readRecording,
  readShop,
  scenarioOfShop,
  type ShownShop,
} from '../../src/verify/pull/pull.ts';
import { openOffice, type Office } from '../support/office.ts';
import { scenarios } from '../support/random-shop.ts';
import { Recording } from '../support/recording.ts';

const login = {
  username: 'api@example.com',
  password: 'api',
  clientId: 'demo_client',
  clientSecret: 'secret_demo_client',
};

/** Reads a shop as a server shows it, and as a recording of the same reads does. */
async function read(office: Office) {
  const recording = new Recording();
  const paths = new Set<string>();
  const send = recording.recorded((url, init) => office.fetch(url, init));
  const shop = await readShop({
    url: 'http://shop.test',
    api: storeApi,
    timeout: 60_000,
    maxTime: 600_000,
    ...(office.settings.auth === 'oauth2' && { login }),
    fetch: async (url, init) => {
      const { pathname, search } = new URL(url);
      if (pathname.startsWith('/api/')) paths.add(pathname + search);
      return send(url, init);
    },
  });
  const recorded = await readRecording(recording.save(), { api: storeApi, apiPath: namedPath });
  return { paths, shop, recorded };
}

/** Opens what was pulled. @param seed of what replaces persons */
function opened(shop: ShownShop, seed?: number): Office {
  const options = { api: storeApi, replace: [], keep: [], seed };
  return openOffice({ scenario: scenarioOfShop(shop, options).scenario as ScenarioInput });
}

/** Returns the body of a response to a read. */
function bodyOf(office: Office, url: string): unknown {
  const { body = 'null' } = office.requestUnobserved({ method: 'GET', url, headers: {} });
  return JSON.parse(body);
}

/** Returns the fields in which texts differ; `!` for other differences. */
function differentFields(one: unknown, other: unknown, name = ''): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (typeof one === 'string' && typeof other === 'string') return [name];
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((value, at) => differentFields(value, other[at], name));
  if (!isObject(one) || !isObject(other)) return [`! ${name}`];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap((key) => differentFields(one[key], other[key], key));
}

/** Fields of persons, which an anonymised shop has others in. */
const personal = new Set([
  'city',
  'email',
  'email_canonical',
  'first_name',
  'last_name',
  'password',
  'postcode',
  'salt',
  'street',
  'username',
  'username_canonical',
]);

test.each(scenarios)(
  'a shop that is pulled from a server, or from a recording of it, answers the reads of %s',
  async (scenario) => {
    const office = openOffice({ scenario: scenario as 'default' });
    // A server that fails cannot be pulled.
    office.faults.clear();
    const { paths, shop, recorded } = await read(office);
    const [ofServer, ofRecording, ofOthers] = [opened(shop), opened(recorded), opened(shop, 1)];
    const differ: string[] = [];
    for (const path of paths) {
      const expected = bodyOf(office, path);
      if (!isDeepStrictEqual(bodyOf(ofServer, path), expected)) differ.push(`server ${path}`);
      // Lists of a recording also have the records of `empty`.
      const isList = isObject(expected) && expected['page'] !== undefined;
      if (!isList && !isDeepStrictEqual(bodyOf(ofRecording, path), expected))
        differ.push(`recording ${path}`);
      const others = differentFields(expected, bodyOf(ofOthers, path));
      for (const field of others)
        if (!personal.has(field)) differ.push(`other persons ${path} ${field}`);
    }
    expect(paths.size).toBeGreaterThan(40);
    expect(differ).toEqual([]);
  },
);

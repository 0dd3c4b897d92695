import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { storeApi } from '../../src/define.ts';
import type { ScenarioInput } from '../../src/index.ts';
import { namedPath } from '../../src/engine/lib/api-path.ts';
import { readRecording, readShop, scenarioOfShop } from '../../src/verify/pull/pull.ts';
import { openOffice, type Office } from '../support/office.ts';
import { Recording } from '../support/recording.ts';

const options = { api: storeApi, replace: [], keep: [] };

/** Pulls a scenario from a server, and from a recording of the same reads. */
async function pulled(office: Office) {
  const recording = new Recording();
  const paths = new Set<string>();
  const send = recording.recorded((url, init) => office.fetch(url, init));
  const shop = await readShop({
    url: 'http://shop.test',
    api: storeApi,
    timeout: 60_000,
    maxTime: 600_000,
    fetch: async (url, init) => {
      const { pathname, search } = new URL(url);
      paths.add(pathname + search);
      return send(url, init);
    },
  });
  const recorded = await readRecording(recording.save(), { api: storeApi, apiPath: namedPath });
  const [whole, seen] = [shop, recorded].map((one) => scenarioOfShop(one, options).scenario);
  return { paths, whole: whole as ScenarioInput, seen: seen as ScenarioInput };
}

test.each(['backorders', 'sale', 'declined-cards', 'filled-cart'] as const)(
  'a shop that is pulled from a server, or from a recording of it, answers the reads of %s',
  async (scenario) => {
    const office = openOffice({ scenario });
    const { paths, whole, seen } = await pulled(office);
    const [ofServer, ofRecording] = [
      openOffice({ scenario: whole }),
      openOffice({ scenario: seen }),
    ];
    const differ: string[] = [];
    for (const path of paths) {
      const [expected, server, record] = await Promise.all(
        [office, ofServer, ofRecording].map(({ call }) => call(`GET ${path}`)),
      );
      if (!isDeepStrictEqual(server?.body, expected?.body)) differ.push(`server ${path}`);
      // Lists of a recording also have the records of `empty`.
      const isList = expected?.body['page'] !== undefined;
      if (!isList && !isDeepStrictEqual(record?.body, expected?.body))
        differ.push(`recording ${path}`);
    }
    expect(paths.size).toBeGreaterThan(400);
    expect(differ).toEqual([]);
  },
);

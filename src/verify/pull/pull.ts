import type { ApiDefinition } from '../../engine/definition/api.ts';
import type { KnownSettings } from '../../engine/definition/drift.ts';
import { isTimestamp } from '../../engine/lib/duration.ts';
import { openBackOffice, type AnyScenario } from '../../engine/office/open-back-office.ts';
import { defaultSettings } from '../../engine/definition/match-request.ts';
import { Client } from '../drift/client.ts';
import { Inspection } from '../drift/inspection.ts';
import { enter, type VerifyOptions } from '../drift/verify.ts';
import { recordsOfReads, scenarioOfRecords, type ShownRecords } from '../replay/first-records.ts';
import { inOrder } from '../replay/replay.ts';
import { surveyRecording } from '../replay/survey.ts';
import { anonymise, type Anonymised, type AnonymiseOptions } from './anonymise.ts';
import { leftPersons } from './left-persons.ts';
import { readServer } from './server-reads.ts';

/** What a server or a recording shows of a shop. */
export interface ShownShop {
  readonly records: ShownRecords;
  /** Whether these are all records of a server, not only those of a recording. */
  readonly isWhole: boolean;
  readonly settings: KnownSettings;
}

/**
 * Reads each record that a server shows, and finds out its settings.
 *
 * @throws Unreachable if it does not respond, is no server of this API, or rejects the credentials
 */
export async function readShop(
  options: Pick<
    VerifyOptions,
    'url' | 'api' | 'apiPath' | 'token' | 'login' | 'timeout' | 'maxTime' | 'fetch' | 'onRequest'
  >,
): Promise<ShownShop> {
  const { api } = options;
  const client = new Client(options);
  const drift = await api.drift?.();
  const inspection = new Inspection(client, api, drift, {});
  await enter(inspection, options);
  await drift?.findSettings(inspection, false);
  const { origin, prefix, apiPath } = client;
  const place = { origin, prefix, apiPath };
  const records = await recordsOfReads(readServer(client, api), place, api);
  const usual: Readonly<Record<string, unknown>> = defaultSettings(api);
  const settings = Object.entries(inspection.settings).filter(
    ([name, value]) => usual[name] !== value,
  );
  return { records, isWhole: true, settings: Object.fromEntries(settings) };
}

/**
 * Reads the records that a recording shows, as they are seen first.
 *
 * @throws RecordingError if the file cannot be read, or has no request of the API
 */
export async function readRecording(
  file: string,
  { api, apiPath }: { readonly api: ApiDefinition; readonly apiPath: string },
): Promise<ShownShop> {
  const survey = await surveyRecording(file, api, apiPath);
  const records = await recordsOfReads(inOrder(file, survey), survey.place, api);
  return { records, isWhole: false, settings: {} };
}

export interface PulledScenario {
  readonly scenario: AnyScenario;
  /** What was replaced, and what was not; undefined if persons stay. */
  readonly anonymised: Pick<Anonymised, 'counts' | 'fields'> | undefined;
  /** The places of texts that were not replaced and may be about persons: `products 3, description: an e-mail address`. */
  readonly left: readonly string[];
}

export interface PullOptions extends Omit<AnonymiseOptions, 'seed'> {
  /** Seed of what replaces persons (default: they stay). */
  readonly seed?: number | undefined;
}

/**
 * Returns the scenario of a shop, with other persons if there is a seed.
 *
 * @throws Problem `invalid` if it cannot be opened
 */
export function scenarioOfShop(shop: ShownShop, options: PullOptions): PulledScenario {
  const { api, seed } = options;
  const { records } = shop;
  if (seed === undefined)
    return { scenario: openable(shop, records, api), anonymised: undefined, left: [] };
  const made = anonymise(records, { ...options, seed });
  const scenario = openable(shop, made.records, api);
  return { scenario, anonymised: made, left: leftPersons(made) };
}

function openable(
  { isWhole, settings }: ShownShop,
  records: ShownRecords,
  api: ApiDefinition,
): AnyScenario {
  const now = isWhole ? lastChange(records) : records.now;
  const scenario = {
    ...scenarioOfRecords({ ...records, now }, api, isWhole),
    name: 'pulled',
    description: `What ${isWhole ? 'a server' : 'a recording'} shows`,
    ...(Object.keys(settings).length > 0 && { settings }),
  };
  openBackOffice({ api, scenario });
  return scenario;
}

/** Returns the latest time at which a record was created or changed. */
function lastChange({ tables }: ShownRecords): string | undefined {
  const times = [...tables.values()].flatMap((rows) =>
    Array.from(rows.values(), (row) => row['updated_at'] ?? row['created_at']),
  );
  return times
    .filter((time): time is string => typeof time === 'string' && isTimestamp(time))
    .reduce<string | undefined>(
      (last, time) => (last === undefined || time > last ? time : last),
      undefined,
    );
}

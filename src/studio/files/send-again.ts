import type { SummariesView } from '../../engine/control/endpoints/journal.ts';
import { unmasked } from '../composer/masked-body.ts';
import type { Entry } from '../entries.ts';
import { countOf } from '../format.ts';
import type { Summary } from '../source.ts';
import type { Studio } from '../studio.ts';

const maxSent = 1000;
/** The maximum number of entries with different results that are named. */
const maxNamed = 3;

/**
 * Resets the shop, sends the requests again that its history has since the last reset, moves the clock as it was moved, and
 * tells what came out differently.
 */
export async function sendAgain(studio: Studio): Promise<void> {
  const before = await recorded(studio);
  const requests = await studio.client.read<{ readonly entries: readonly Entry[] }>(
    `GET /_backlot/journal?limit=${maxSent}`,
  );
  if (before === undefined || requests === undefined) return;
  const start = before.findLastIndex(({ by }) => by === 'reset') + 1;
  const entries = before.slice(start).filter((one) => studio.preview.isInEffect(one));
  if ((await studio.actions.act('Reset the shop', 'POST /_backlot/reset', {})) === undefined)
    return;
  const byId = new Map(requests.entries.map((one) => [one.id, one]));
  const sent: Summary[] = [];
  for (const entry of entries) {
    const { method, url, request } = byId.get(entry.id) ?? {};
    if (entry.by === 'clock') await studio.client.call('PUT /_backlot/clock', { now: entry.at });
    else if (method !== undefined && url !== undefined) {
      const body = request?.body === undefined ? undefined : unmasked(studio, request.body);
      await studio.client.call(`${method} ${url}`, body);
      sent.push(entry);
    }
  }
  const after = (await recorded(studio)) ?? [];
  const made = after.slice(after.findLastIndex(({ by }) => by === 'reset') + 1);
  studio.notices.shown.value = { kind: 'done', text: told(sent, made) };
}

async function recorded(studio: Studio): Promise<readonly Summary[] | undefined> {
  const path = `/_backlot/journal?view=summary&limit=${maxSent}`;
  return (await studio.client.read<SummariesView>(`GET ${path}`))?.summaries;
}

/** Compares entries with those of the same requests, which others may have sent requests between. */
function told(sent: readonly Summary[], made: readonly Summary[]): string {
  let at = 0;
  const different = sent.flatMap((entry) => {
    const found = made.findIndex(({ title }, place) => place >= at && title === entry.title);
    at = found === -1 ? at : found + 1;
    const [one, other] = [entry, made[found]].map(resultOf);
    return one === other ? [] : [`#${entry.id} ${entry.title}: ${one} → ${other}`];
  });
  const all = `Sent ${countOf(sent.length, 'request')} again to a reset shop`;
  if (different.length === 0) return `${all}: all came out as before.`;
  const named = different.slice(0, maxNamed).join('; ');
  return `${all}: ${different.length} came out differently. ${named}${different.length > maxNamed ? '; …' : ''}`;
}

function resultOf(entry: Summary | undefined): string {
  if (entry === undefined) return 'not recorded';
  const { status, reason, meaning } = entry;
  return [status, reason ?? meaning ?? []].flat().join(' ');
}

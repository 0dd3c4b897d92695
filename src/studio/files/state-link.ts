import { pack, unpackJson } from '../../engine/lib/trace-file.ts';
import { countOf } from '../format.ts';
import { hrefTo } from '../route.ts';
import type { Studio } from '../studio.ts';

/** The maximum length of a link. Chats and mail programs cut longer ones. */
const maxLink = 8000;

/**
 * Returns a link to the studio that holds the state of the shop: its scenario, and what differs from it. If that is too long, a
 * message says so, and undefined is returned.
 */
export async function linkToState(studio: Studio): Promise<string | undefined> {
  const { client, notices } = studio;
  const scenario = await client.read<object>('GET /_backlot/journal/export?as=scenario');
  if (scenario === undefined) return undefined;
  const packed = (await pack(JSON.stringify(scenario)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
  const link = `${client.source.root.replace(/\/s\/[^/]+$/, '')}/_backlot/#state=${packed}`;
  if (link.length <= maxLink) return link;
  notices.shown.value = {
    kind: 'error',
    text: `The state is too large for a link: it would have ${countOf(link.length, 'character')}, and ${maxLink} at most can be sent. Share the file.`,
    offer: { text: 'File', run: async () => (await studio.views.files()).saveTrace(studio) },
  };
  return undefined;
}

/** Replaces the state of the shop by that of a link, which can be undone. */
export async function openLink(studio: Studio, state: string): Promise<void> {
  try {
    const body = await unpackJson(state.replaceAll('-', '+').replaceAll('_', '/'));
    await studio.actions.act('Opened the link', 'POST /_backlot/import', body);
    studio.router.go(hrefTo('activity'), 'replace');
  } catch {
    studio.notices.show('The link is damaged: ask for it again.');
  }
}

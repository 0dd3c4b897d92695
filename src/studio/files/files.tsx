import { valueAt } from '../../engine/lib/json-value.ts';
import { pack, pageWith, traceIn, tracePlace } from '../../engine/lib/trace-file.ts';
import { linkToState, openLink } from './state-link.ts';
import { sendAgain } from './send-again.ts';
import { download } from '../download.ts';
import type { Files, Studio } from '../studio.ts';

export const files: Files = { saveTrace, openFile, sendAgain, linkToState, openLink };

/** Downloads the history: as a page that shows it, or as JSON where there is no such page. */
async function saveTrace(studio: Studio): Promise<void> {
  const trace = await studio.client.read<object>('GET /_backlot/trace');
  if (trace === undefined) return;
  const page = isOfStore(trace) ? await tracePage(studio) : undefined;
  const name = `backlot-trace.${page === undefined ? 'json' : 'html'}`;
  if (page === undefined) download(name, 'application/json', JSON.stringify(trace));
  else download(name, 'text/html', pageWith(page, await pack(JSON.stringify(trace))));
  studio.notices.shown.value = { kind: 'done', text: `Saved the history as ${name}` };
}

/** Returns the page of traces, if the shop has one. */
async function tracePage(studio: Studio): Promise<string | undefined> {
  const page = await studio.client.peek<unknown>('GET /_backlot/trace.html');
  return typeof page === 'string' && page.includes(tracePlace) ? page : undefined;
}

/**
 * Shows a trace of the store in its page, opens that of another API in this shop, and resets the shop to a scenario or an
 * export, which can be undone.
 */
async function openFile(studio: Studio, file: File): Promise<void> {
  try {
    const content = await traceIn(await file.text());
    if (content === undefined)
      studio.notices.shown.value = {
        kind: 'error',
        text: `${file.name} is no trace, scenario or export.`,
      };
    else if (!isOfStore(content))
      await studio.actions.act(`Opened ${file.name}`, 'POST /_backlot/import', content);
    else if (studio.router.ownsPage && (await tracePage(studio)) !== undefined) {
      sessionStorage.setItem('backlot-trace', await pack(JSON.stringify(content)));
      location.assign(`${studio.client.source.root}/_backlot/trace.html`);
    } else {
      const text = `${file.name} is a trace, and there is no page for it here. Its own page opens in a browser, from the disk.`;
      studio.notices.shown.value = { kind: 'error', text };
    }
  } catch (error) {
    studio.notices.show(error);
  }
}

/** Whether content is a trace that the page of traces can show, which has the API of the store. */
function isOfStore(content: unknown): boolean {
  const [format, api] = ['format', 'api'].map((name) => valueAt(content, [name]));
  return format === 'backlot-trace' && api === 'store';
}

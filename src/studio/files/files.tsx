import { isObject, valueAt } from '../../engine/lib/json-value.ts';
import { pack, pageWith, traceIn, tracePlace } from '../../engine/lib/trace-file.ts';
import { linkToState, openLink } from './state-link.ts';
import { sendAgain } from './send-again.ts';
import { download } from '../download.ts';
import { messageOf } from '../reply-message.ts';
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
 * Shows a trace of the store, or a replayed recording, in its page, opens that of another API in this shop, and resets the shop to a scenario or an
 * export, which can be undone.
 */
async function openFile(studio: Studio, file: File): Promise<void> {
  try {
    const opened = await traceIn(file);
    const isRecording = isObject(valueAt(opened, ['log']));
    const content = isRecording ? await traceOf(studio, opened) : opened;
    if (isRecording && content === undefined) return;
    if (content === undefined)
      studio.notices.show(`${file.name} is no recording (HAR), trace, scenario or export.`);
    else if (!isOfStore(content))
      await studio.actions.act(`Opened ${file.name}`, 'POST /_backlot/import', content);
    else if (studio.router.ownsPage && (await tracePage(studio)) !== undefined) {
      sessionStorage.setItem('backlot-trace', await pack(JSON.stringify(content)));
      location.assign(`${studio.client.source.root}/_backlot/trace.html`);
    } else {
      studio.notices.show(
        `${file.name} is a trace, and there is no page for it here. Its own page opens in a browser, from the disk.`,
      );
    }
  } catch (error) {
    studio.notices.show(error);
  }
}

/** Has the server replay a recording. Returns the trace of that; undefined if a message says why there is none. */
async function traceOf(studio: Studio, recording: unknown): Promise<unknown> {
  const reply = await studio.client.call('POST /_backlot/trace', recording);
  const help = valueAt(reply.body, ['help']);
  if (reply.status < 400 && help === undefined) return reply.body;
  studio.notices.show(typeof help === 'string' ? help : messageOf(reply));
  return undefined;
}

/** Whether content is a trace that the page of traces can show, which has the API of the store. */
function isOfStore(content: unknown): boolean {
  const [format, api] = ['format', 'api'].map((name) => valueAt(content, [name]));
  return format === 'backlot-trace' && api === 'store';
}

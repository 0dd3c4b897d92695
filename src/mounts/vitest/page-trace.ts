import type { Trace } from '../../engine/office/trace/trace-format.ts';
import { ignoreFile } from './trace.ts';

interface SaveCommand {
  readonly saveBacklotTrace?: (trace: Trace, file: string) => Promise<void>;
}

/** Has the server of vitest write a trace: a page if the configuration has the command that makes one. Returns its file. */
export async function saveInPage(trace: Trace, path: string): Promise<string> {
  const { commands, server } = await import('vitest/browser');
  const { saveBacklotTrace: savePage }: typeof commands & SaveCommand = commands;
  const file = `${path}.${trace.api === 'store' && savePage !== undefined ? 'html' : 'json'}`;
  const place = `${server.config.root}/${file}`;
  if (savePage === undefined) await commands.writeFile(place, JSON.stringify(trace));
  else await savePage(trace, place);
  await commands.writeFile(`${server.config.root}/${ignoreFile.path}`, ignoreFile.content);
  return file;
}

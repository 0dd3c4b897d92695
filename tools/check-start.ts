import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { openBackOffice } from '../src/office/open-back-office.ts';
import { jsonOf } from '../src/rest/json.ts';

/**
 * Starts a built program, which carries its default scenario set up, and compares what it holds with what the sources
 * make of that scenario.
 */
export async function checkStart(program: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn('node', [program, '--port', '0', '--quiet'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const control = await textUntil(child.stdout, /http:\S+\/_backlot\//);
    const answer = await fetch(new URL('export', control));
    if ((await answer.text()) !== jsonOf(openBackOffice().export())) {
      throw new Error(`${program} does not begin with what the sources make of its scenario`);
    }
  } finally {
    child.kill();
  }
}

/** Reads until there is something of this kind, and gives that. */
async function textUntil(stream: NodeJS.ReadableStream, wanted: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    const [found] = wanted.exec(stripVTControlCharacters(text)) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error(`the program ended, and said only "${text}"`);
}

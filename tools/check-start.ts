import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { openStoreOffice } from '../src/shop/open-store-office.ts';

/**
 * Starts a built program, which contains its prebuilt default scenario, and compares its export with that of the sources.
 *
 * @throws Error if the exports differ
 */
export async function checkStart(program: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn('node', [program, '--port', '0', '--quiet'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const control = await textUntil(child.stdout, /http:\S+\/_backlot\//);
    const answer = await fetch(new URL('export', control));
    if ((await answer.text()) !== JSON.stringify(openStoreOffice().export())) {
      throw new Error(
        `${program} starts with another state than the sources: its prebuilt scenario is out of date`,
      );
    }
  } finally {
    child.kill();
  }
}

/** Reads a stream until its text matches, and returns the match. */
async function textUntil(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    const [found] = pattern.exec(stripVTControlCharacters(text)) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error(`The program ended without ${pattern}. Its output was "${text}".`);
}

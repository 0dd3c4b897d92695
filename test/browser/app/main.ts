/// <reference types="vite/client" />
import { startWorker } from '../../../src/adapters/browser.ts';

/**
 * A page as a front-end developer has one: `?keep` keeps what happened, `?worker=/x.js` looks for it elsewhere, `?idle`
 * waits for someone to start it.
 */
const asked = new URLSearchParams(location.search);
const output = document.querySelector('output');

async function start(): Promise<void> {
  try {
    const office = await startWorker({
      workerUrl: asked.get('worker') ?? `${import.meta.env.BASE_URL}mockServiceWorker.js`,
      keep: asked.has('keep'),
    });
    Object.assign(globalThis, { office });
    const response = await fetch('/api/users/1');
    const user: unknown = await response.json();
    if (output) output.textContent = JSON.stringify(user);
  } catch (error) {
    if (output) output.textContent = String(error);
  }
}

Object.assign(globalThis, { start });
if (!asked.has('idle')) await start();

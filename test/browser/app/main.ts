/// <reference types="vite/client" />
import { startWorker, type WorkerBackOffice } from 'backlot/browser';

declare global {
  /** Functions that a test calls in the page. */
  interface Window {
    office: WorkerBackOffice;
    start: () => Promise<void>;
  }
}

/**
 * A page of a front-end developer. `?keep` saves the state, `?worker=/x.js` sets the URL of the worker script, and `?idle`
 * waits for `window.start()`.
 */
const asked = new URLSearchParams(location.search);
const output = document.querySelector('output');

async function start(): Promise<void> {
  try {
    window.office = await startWorker({
      workerUrl: asked.get('worker') ?? `${import.meta.env.BASE_URL}mockServiceWorker.js`,
      keep: asked.has('keep'),
    });
    const response = await fetch('/api/users/1');
    const user: unknown = await response.json();
    if (output) output.textContent = JSON.stringify(user);
  } catch (error) {
    if (output) output.textContent = String(error);
  }
}

window.start = start;
if (!asked.has('idle')) await start();

// The page of traces: it has the engine and the studio of the package as compressed text, and the trace that it shows.

import { valueAt } from '../../engine/lib/json-value.ts';
import { once } from '../../engine/lib/memoized.ts';
import { traceIn, unpack, unpackJson } from '../../engine/lib/trace-file.ts';

interface Office {
  import(trace: unknown): void;
}

/** The used exports of the package. */
interface Package {
  readonly createBackOffice: (options: object) => Office;
  readonly version: string;
  readonly showStudio: (element: HTMLElement, office: Office, options: object) => () => void;
}

const style = new CSSStyleSheet();
style.replaceSync(`
html { color-scheme: light dark; }
body { margin: 0; background: light-dark(#f6f6f3, #14161a); }
.intro { max-width: 34rem; margin: 12vh auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
.intro h1 { font-size: 1.5rem; }
.test { padding: 0.5rem 1rem; font: 14px/1.4 system-ui, sans-serif; color: light-dark(#1d2129, #e4e6ea); background: light-dark(#fff, #1c1f25); }
.failed { border-left: 4px solid light-dark(#c0271b, #ff8a80); }
.test h1 { display: inline; margin-right: 1rem; font-size: 1rem; overflow-wrap: anywhere; }
.test span { color: light-dark(#5c626c, #a6acb6); font-size: 12px; }
.test pre { margin: 0.5rem 0 0; max-height: 9rem; overflow: auto; font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`);
document.adoptedStyleSheets = [style];

const storageKey = 'backlot-trace';

let close = (): void => document.querySelector('.intro')?.remove();

const loadPackage = once(async (): Promise<Package> => {
  const packed = document.querySelector('#package')?.textContent ?? '';
  const module = new Blob([await unpack(packed)], { type: 'text/javascript' });
  return (await import(URL.createObjectURL(module))) as Package;
});

async function show(reading: Promise<unknown>): Promise<void> {
  try {
    const [trace, { createBackOffice, showStudio, version }] = await Promise.all([
      reading,
      loadPackage(),
    ]);
    if (trace === undefined) throw new Error('The file is neither the page of a trace nor JSON.');
    const apiPath = valueAt(trace, ['api_path']);
    const office = createBackOffice({ apiPath, scenario: 'empty', history: true });
    office.import(trace);
    close();
    const head = headOf(trace, version);
    document.body.append(head);
    const closeStudio = showStudio(document.body, office, {
      show: location.hash.slice(1) || failingRequest(trace),
      // A reload shows it again.
      onShow: (shown: string) => history.replaceState(null, '', `#/${shown}`),
    });
    close = () => {
      head.remove();
      closeStudio();
    };
  } catch (error) {
    close();
    intro('This trace cannot be shown', error instanceof Error ? error.message : String(error));
  }
}

/** Returns what a trace is of: its test, when it was, the version of Backlot, and the error that the test failed with. */
function headOf(trace: unknown, version: string): HTMLElement {
  const [name, error] = ['name', 'error'].map((part) => valueAt(trace, ['test', part]));
  const element = document.createElement('header');
  element.className = typeof error === 'string' ? 'test failed' : 'test';
  const heading = document.createElement('h1');
  heading.textContent = typeof name === 'string' ? name : 'Trace of a shop';
  if (typeof name === 'string') document.title = `${name} · Backlot trace`;
  const about = document.createElement('span');
  about.textContent = `${lastTime(trace)} · Backlot ${version}`;
  element.append(heading, about);
  if (typeof error !== 'string') return element;
  const text = document.createElement('pre');
  text.textContent = error;
  text.tabIndex = 0;
  element.append(text);
  return element;
}

/** Returns when the last request arrived, where the reader is, or else the time by the clock of the shop. */
function lastTime(trace: unknown): string {
  const entries = valueAt(trace, ['entries']);
  const times = (Array.isArray(entries) ? entries : []).map((one) => valueAt(one, ['received']));
  const last = times.findLast((time) => typeof time === 'number');
  return last === undefined
    ? String(valueAt(trace, ['clock', 'now']))
    : new Date(last).toLocaleString('sv');
}

function outcomeOf(entry: unknown): unknown {
  return valueAt(entry, ['outcome', 'outcome']) ?? 'ok';
}

/** Returns the link of the first difference from a recording, or else of the last request that was refused, declined or failed. */
function failingRequest(trace: unknown): string | undefined {
  const entries = valueAt(trace, ['entries']);
  const all: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const failed =
    all.find((entry) => outcomeOf(entry) === 'different') ??
    all.findLast((entry) => outcomeOf(entry) !== 'ok');
  const id = valueAt(failed, ['id']);
  return typeof id === 'number' ? `activity?open=${id}` : undefined;
}

function intro(title: string, text: string): void {
  const element = document.createElement('main');
  element.className = 'intro';
  const heading = document.createElement('h1');
  heading.textContent = title;
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  const input = Object.assign(document.createElement('input'), { type: 'file' });
  input.setAttribute('aria-label', 'Trace');
  input.addEventListener('change', () => void showFile(input.files?.[0]));
  element.append(heading, paragraph, input);
  document.body.append(element);
  close = () => element.remove();
}

async function showFile(file: File | undefined): Promise<void> {
  if (file !== undefined) await show(traceIn(file));
}

addEventListener('dragover', (event) => event.preventDefault());
// Before the studio opens the file.
addEventListener(
  'drop',
  (event) => {
    event.preventDefault();
    event.stopPropagation();
    void showFile(event.dataTransfer?.files[0]);
  },
  { capture: true },
);

/** Returns the trace to open, of the same origin. A page from a disk may have no storage. */
function stored(): string | undefined {
  try {
    return sessionStorage.getItem(storageKey) ?? undefined;
  } catch {
    return undefined;
  }
}

const own = document.querySelector('#trace')?.textContent ?? stored();
if (own === undefined)
  intro('Traces of Backlot', 'Drop a trace here, or choose its file. It stays in this page.');
else void show(unpackJson(own));

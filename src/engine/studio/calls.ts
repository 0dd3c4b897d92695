import { signal } from '@preact/signals';
import type { MachineView, StepView } from '../control/endpoints/machines.ts';
import type { OpenApi } from './openapi.ts';
import type { Reply, Source } from './source.ts';

/** The OpenAPI document, once it was needed. */
export const openApi = signal<OpenApi | undefined>(undefined);

let source: Source | undefined;

/** Sets what the studio shows and controls. It comes before everything else. */
export function attach(to: Source): void {
  source = to;
  openApi.value = undefined;
}

/** Returns what the studio shows and controls. @throws Error before `attach` */
export function attached(): Source {
  if (source === undefined) throw new Error('The studio has no source yet');
  return source;
}

/** Sends a request: see `Source.call`. */
export async function call<Body>(...request: Parameters<Source['call']>): Promise<Reply<Body>> {
  return attached().call<Body>(...request);
}

/** Reads a path. Rejects if there is no response. @returns undefined for an error */
export async function bodyOf<Body>(line: string): Promise<Body | undefined> {
  const { status, body } = await call<Body>(line);
  return status < 400 ? body : undefined;
}

const maxKept = 200;

/**
 * Returns a function that reads what never changes, once. It returns undefined for an error. A version tells apart what has
 * the same line after a reset of the server.
 */
export function kept<Body>(): (line: string, version?: string) => Promise<Body | undefined> {
  const sources = new WeakMap<Source, Map<string, Promise<Body | undefined>>>();
  return (line, version = '') => {
    const bodies = sources.get(attached()) ?? new Map<string, Promise<Body | undefined>>();
    sources.set(attached(), bodies);
    const key = `${line} ${version}`;
    const body = bodies.get(key) ?? bodyOf<Body>(line);
    bodies.set(key, body);
    void body.catch(() => bodies.delete(key));
    const [oldest = key] = bodies.keys();
    if (bodies.size > maxKept) bodies.delete(oldest);
    return body;
  };
}

const [steps, machines] = [kept<readonly StepView[]>(), kept<readonly MachineView[]>()];

/** Returns the steps that rules and the journal name. */
export async function loadSteps(): Promise<readonly StepView[]> {
  return (await steps('GET /_backlot/steps')) ?? [];
}

/** Returns the state machines. */
export async function loadMachines(): Promise<readonly MachineView[]> {
  return (await machines('GET /_backlot/machines')) ?? [];
}

const documentOf = kept<OpenApi>();

/** Loads the document. It is large and never changes. */
export async function loadOpenApi(): Promise<void> {
  openApi.value = await documentOf('GET /_backlot/openapi.json');
}

import type { EntryExplanation } from '../definition/explanation.ts';
import { read } from './store.ts';

/** Returns the body of a refused request with a value that is accepted in place of each that was not, as far as one is known. */
export async function acceptedBody(id: number, body: unknown): Promise<unknown> {
  const why = await read<EntryExplanation>(`GET /_backlot/journal/${id}/why`);
  const fixed: unknown = structuredClone(body);
  for (const { path, example, omit } of why?.refused ?? []) {
    const name = path.at(-1);
    if (name === undefined || (example === undefined && omit !== true)) continue;
    let place = fixed as Record<string, unknown>;
    for (const part of path.slice(0, -1)) place = (place[part] ??= {}) as Record<string, unknown>;
    if (example === undefined) delete place[name];
    else place[name] = example;
  }
  return fixed;
}

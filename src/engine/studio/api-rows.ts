import type { Source } from './source.ts';

/** A step that rules and the journal name, as `GET /_backlot/steps` describes it. */
export interface Step {
  readonly name: string;
  /** The state of the checkout that it starts from, and the one that it leads to. */
  readonly from?: string;
  readonly to?: string;
  /** A response whose last record of a table is in one of the states says that the step failed. */
  readonly settles?: { readonly table: string; readonly failed: readonly string[] };
}

const lists = new WeakMap<Source, Map<string, Promise<readonly unknown[]>>>();

/** Returns the state machines or the steps of an API. They never change, so they are loaded once. */
export function listed<Row>(source: Source, name: 'machines' | 'steps'): Promise<readonly Row[]> {
  const known = lists.get(source) ?? new Map<string, Promise<readonly unknown[]>>();
  lists.set(source, known);
  const list =
    known.get(name) ??
    readFrom<readonly Row[]>(source, `/_backlot/${name}`).then((rows) => rows ?? []);
  known.set(name, list);
  return list as Promise<readonly Row[]>;
}

/** @returns undefined for an error */
export async function readFrom<Body>(source: Source, path: string): Promise<Body | undefined> {
  const { status, body } = await source.call<Body>(`GET ${path}`);
  return status === 200 ? body : undefined;
}

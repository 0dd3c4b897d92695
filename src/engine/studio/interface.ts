import { signal } from '@preact/signals';
import type { OpenApi } from './openapi.ts';
import type { Source } from './source.ts';
import { health, show } from './store.ts';

/** The OpenAPI document, once it was needed. */
export const openApi = signal<OpenApi | undefined>(undefined);

let loading: { readonly source: Source; readonly ended: Promise<void> } | undefined;

/** Loads the document of a source once. It is large and never changes. Resolves when it is there, or was not received. */
export function loadOpenApi(source: Source): Promise<void> {
  if (loading?.source !== source) {
    openApi.value = undefined;
    loading = { source, ended: receiveOpenApi(source) };
  }
  return loading.ended;
}

async function receiveOpenApi(source: Source): Promise<void> {
  try {
    openApi.value = (await source.call<OpenApi>('GET /_backlot/openapi.json')).body;
  } catch (error) {
    loading = undefined;
    show(error);
  }
}

/** The URL in front of `/api` for clients outside of this page: a session that a cookie names has a path as well. */
export function clientRoot(source: Source): string {
  const { address = '', session } = health.value ?? {};
  return address === '' && session !== undefined && session.ended === undefined
    ? `${source.root}/s/${session.name}`
    : source.root;
}
